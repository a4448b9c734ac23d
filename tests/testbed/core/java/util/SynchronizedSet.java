// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set whose every call holds a lock. */
final class SynchronizedSet<E> extends SynchronizedCollection<E> implements Set<E> {
  private final Set<E> delegate;

  SynchronizedSet(Set<E> delegate) {
    super(delegate);
    this.delegate = delegate;
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
