// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A queue with two ends. */
public interface Deque<E> extends Queue<E> {
  void addFirst(E element);

  void addLast(E element);

  default boolean offer(E element) {
    return offerLast(element);
  }

  default boolean offerFirst(E element) {
    addFirst(element);
    return true;
  }

  default boolean offerLast(E element) {
    addLast(element);
    return true;
  }

  default E remove() {
    return removeFirst();
  }

  default E poll() {
    return pollFirst();
  }

  default E element() {
    return getFirst();
  }

  default E peek() {
    return peekFirst();
  }

  E removeFirst();

  E removeLast();

  E pollFirst();

  E pollLast();

  E getFirst();

  E getLast();

  E peekFirst();

  E peekLast();

  boolean removeFirstOccurrence(Object element);

  default void push(E element) {
    addFirst(element);
  }

  default E pop() {
    return removeFirst();
  }

  Iterator<E> descendingIterator();
}
