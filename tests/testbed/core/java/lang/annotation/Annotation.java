// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** Implemented by all annotations. */
public interface Annotation {
  Class<? extends Annotation> annotationType();
}
