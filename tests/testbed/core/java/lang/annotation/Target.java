// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Says what an annotation may stand at. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Target {
  ElementType[] value();
}
