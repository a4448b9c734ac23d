// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A sorted set that finds neighbours. */
public interface NavigableSet<E> extends SortedSet<E> {
  E lower(E element);

  E floor(E element);

  E ceiling(E element);

  E higher(E element);

  E pollFirst();

  E pollLast();

  NavigableSet<E> descendingSet();

  Iterator<E> descendingIterator();
}
