// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Names the annotation that holds several of this one. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Repeatable {
  Class<? extends Annotation> value();
}
