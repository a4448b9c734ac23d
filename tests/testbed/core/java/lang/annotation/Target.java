// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** The elements that an annotation applies to. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Target {
  ElementType[] value();
}
