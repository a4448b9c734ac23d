// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Visits a list's elements in both directions. */
public interface ListIterator<E> extends Iterator<E> {
  boolean hasPrevious();

  E previous();

  int nextIndex();

  int previousIndex();

  @Override
  void remove();

  void set(E element);

  void add(E element);
}
