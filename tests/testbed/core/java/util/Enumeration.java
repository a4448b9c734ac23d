// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Visits elements; the older form of Iterator. */
public interface Enumeration<E> {
  boolean hasMoreElements();

  E nextElement();
}
