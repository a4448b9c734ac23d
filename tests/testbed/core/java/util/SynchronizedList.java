// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.UnaryOperator;

/** A list whose every call holds a lock; iterations are the caller's to guard. */
final class SynchronizedList<E> extends SynchronizedCollection<E> implements List<E> {
  private final List<E> delegate;

  SynchronizedList(List<E> delegate) {
    super(delegate);
    this.delegate = delegate;
  }

  @Override
  public E get(int index) {
    synchronized (lock) {
      return delegate.get(index);
    }
  }

  @Override
  public E set(int index, E element) {
    synchronized (lock) {
      return delegate.set(index, element);
    }
  }

  @Override
  public void add(int index, E element) {
    synchronized (lock) {
      delegate.add(index, element);
    }
  }

  @Override
  public E remove(int index) {
    synchronized (lock) {
      return delegate.remove(index);
    }
  }

  @Override
  public int indexOf(Object element) {
    synchronized (lock) {
      return delegate.indexOf(element);
    }
  }

  @Override
  public int lastIndexOf(Object element) {
    synchronized (lock) {
      return delegate.lastIndexOf(element);
    }
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    synchronized (lock) {
      return delegate.addAll(index, elements);
    }
  }

  @Override
  public ListIterator<E> listIterator() {
    synchronized (lock) {
      return delegate.listIterator();
    }
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    synchronized (lock) {
      return delegate.listIterator(index);
    }
  }

  @Override
  public List<E> subList(int start, int end) {
    synchronized (lock) {
      return delegate.subList(start, end);
    }
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    synchronized (lock) {
      delegate.replaceAll(operator);
    }
  }

  @Override
  public void sort(Comparator<? super E> order) {
    synchronized (lock) {
      delegate.sort(order);
    }
  }

  @Override
  public boolean equals(Object other) {
    synchronized (lock) {
      return delegate.equals(other);
    }
  }

  @Override
  public int hashCode() {
    synchronized (lock) {
      return delegate.hashCode();
    }
  }
}
