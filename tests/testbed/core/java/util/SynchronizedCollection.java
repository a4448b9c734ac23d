// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Predicate;

/** A collection whose every call holds a lock. */
class SynchronizedCollection<E> implements Collection<E> {
  final Object lock = this;
  private final Collection<E> delegate;

  SynchronizedCollection(Collection<E> delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  /** Iterations are the caller's to guard. */
  @Override
  public Iterator<E> iterator() {
    return delegate.iterator();
  }

  @Override
  public void forEach(java.util.function.Consumer<? super E> action) {
    synchronized (lock) {
      delegate.forEach(action);
    }
  }

  @Override
  public int size() {
    synchronized (lock) {
      return delegate.size();
    }
  }

  @Override
  public boolean isEmpty() {
    synchronized (lock) {
      return delegate.isEmpty();
    }
  }

  @Override
  public boolean contains(Object element) {
    synchronized (lock) {
      return delegate.contains(element);
    }
  }

  @Override
  public Object[] toArray() {
    synchronized (lock) {
      return delegate.toArray();
    }
  }

  @Override
  public <T> T[] toArray(T[] target) {
    synchronized (lock) {
      return delegate.toArray(target);
    }
  }

  @Override
  public boolean add(E element) {
    synchronized (lock) {
      return delegate.add(element);
    }
  }

  @Override
  public boolean remove(Object element) {
    synchronized (lock) {
      return delegate.remove(element);
    }
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    synchronized (lock) {
      return delegate.containsAll(elements);
    }
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    synchronized (lock) {
      return delegate.addAll(elements);
    }
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    synchronized (lock) {
      return delegate.removeAll(elements);
    }
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    synchronized (lock) {
      return delegate.retainAll(elements);
    }
  }

  @Override
  public void clear() {
    synchronized (lock) {
      delegate.clear();
    }
  }

  @Override
  public boolean removeIf(Predicate<? super E> condition) {
    synchronized (lock) {
      return delegate.removeIf(condition);
    }
  }

  @Override
  public String toString() {
    synchronized (lock) {
      return delegate.toString();
    }
  }
}
