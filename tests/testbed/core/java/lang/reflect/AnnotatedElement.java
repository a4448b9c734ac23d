// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

import java.lang.annotation.Annotation;

/** An element that can be annotated. */
public interface AnnotatedElement {
  <A extends Annotation> A getAnnotation(Class<A> annotationClass);

  <A extends Annotation> A getDeclaredAnnotation(Class<A> annotationClass);

  Annotation[] getDeclaredAnnotations();

  boolean isAnnotationPresent(Class<? extends Annotation> annotationClass);
}
