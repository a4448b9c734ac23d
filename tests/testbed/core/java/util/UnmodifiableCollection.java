// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Predicate;

/** A view of a collection that refuses changes; what is not overridden refuses already in AbstractCollection. */
class UnmodifiableCollection<E> extends AbstractCollection<E> {
  private final Collection<? extends E> target;

  UnmodifiableCollection(Collection<? extends E> target) {
    this.target = Objects.requireNonNull(target);
  }

  @Override
  public int size() {
    return target.size();
  }

  @Override
  public boolean contains(Object element) {
    return target.contains(element);
  }

  @Override
  public Iterator<E> iterator() {
    return new ReadingIterator<>(target.iterator());
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
  public boolean addAll(Collection<? extends E> elements) {
    throw new UnsupportedOperationException("addAll");
  }

  /** An iterator whose remove refuses. */
  static final class ReadingIterator<E> implements Iterator<E> {
    private final Iterator<? extends E> target;

    ReadingIterator(Iterator<? extends E> target) {
      this.target = target;
    }

    @Override
    public boolean hasNext() {
      return target.hasNext();
    }

    @Override
    public E next() {
      return target.next();
    }
  }
}
