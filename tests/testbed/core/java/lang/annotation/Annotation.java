// SPDX-License-Identifier: Apache-2.0
package java.lang.annotation;

/** What all annotations implement. */
public interface Annotation {
  Class<? extends Annotation> annotationType();
}
