// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Predicate;

/** A view of a list that refuses changes. */
final class UnmodifiableList<E> extends AbstractList<E> implements RandomAccess {
  private final List<? extends E> target;

  UnmodifiableList(List<? extends E> target) {
    this.target = Objects.requireNonNull(target);
  }

  @Override
  public int size() {
    return target.size();
  }

  @Override
  public E get(int index) {
    return target.get(index);
  }

  @Override
  public boolean remove(Object element) {
    throw new UnsupportedOperationException("remove");
  }

  @Override
  public boolean removeIf(Predicate<? super E> condition) {
    throw new UnsupportedOperationException("removeIf");
  }

  @Override
  public void sort(Comparator<? super E> order) {
    throw new UnsupportedOperationException("sort");
  }
}
