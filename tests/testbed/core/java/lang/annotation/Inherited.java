// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Marks an annotation that subclasses inherit. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Inherited {}
