// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A queue in terms of offer, poll and peek. */
public abstract class AbstractQueue<E> extends AbstractCollection<E> implements Queue<E> {
  protected AbstractQueue() {}

  @Override
  public boolean add(E element) {
    if (!offer(element)) {
      throw new IllegalStateException("Queue full");
    }
    return true;
  }

  @Override
  public E remove() {
    if (isEmpty()) {
      throw new NoSuchElementException();
    }
    return poll();
  }

  @Override
  public E element() {
    if (isEmpty()) {
      throw new NoSuchElementException();
    }
    return peek();
  }

  @Override
  public void clear() {
    while (poll() != null) {
      continue;
    }
  }
}
