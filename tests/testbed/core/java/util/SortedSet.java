// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set in ascending order. */
public interface SortedSet<E> extends Set<E> {
  Comparator<? super E> comparator();

  E first();

  E last();

  SortedSet<E> headSet(E end);

  SortedSet<E> tailSet(E start);

  SortedSet<E> subSet(E start, E end);
}
