// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Says how long an annotation is kept. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Retention {
  RetentionPolicy value();
}
