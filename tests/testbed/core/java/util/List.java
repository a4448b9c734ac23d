// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.UnaryOperator;

/** A sequence of elements with indices. */
public interface List<E> extends Collection<E> {
  E get(int index);

  E set(int index, E element);

  void add(int index, E element);

  E remove(int index);

  int indexOf(Object element);

  int lastIndexOf(Object element);

  boolean addAll(int index, Collection<? extends E> elements);

  ListIterator<E> listIterator();

  ListIterator<E> listIterator(int index);

  List<E> subList(int start, int end);

  default void replaceAll(UnaryOperator<E> operator) {
    for (ListIterator<E> i = listIterator(); i.hasNext(); ) {
      i.set(operator.apply(i.next()));
    }
  }

  @SuppressWarnings("unchecked")
  default void sort(Comparator<? super E> order) {
    Object[] sorted = toArray();
    Arrays.sort(sorted, (Comparator<Object>) order);
    ListIterator<E> i = listIterator();
    for (Object element : sorted) {
      i.next();
      i.set((E) element);
    }
  }
}
