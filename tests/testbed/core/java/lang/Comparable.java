// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Has a natural order. */
public interface Comparable<T> {
  int compareTo(T other);
}
