// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Predicate;

/** A group of elements. */
public interface Collection<E> extends Iterable<E> {
  int size();

  boolean isEmpty();

  boolean contains(Object element);

  Object[] toArray();

  <T> T[] toArray(T[] target);

  boolean add(E element);

  boolean remove(Object element);

  boolean containsAll(Collection<?> elements);

  boolean addAll(Collection<? extends E> elements);

  boolean removeAll(Collection<?> elements);

  boolean retainAll(Collection<?> elements);

  void clear();

  default boolean removeIf(Predicate<? super E> condition) {
    boolean changed = false;
    for (Iterator<E> i = iterator(); i.hasNext(); ) {
      if (condition.test(i.next())) {
        i.remove();
        changed = true;
      }
    }
    return changed;
  }
}
