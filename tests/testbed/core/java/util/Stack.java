// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A stack; the older form of a Deque. */
public class Stack<E> extends Vector<E> {
  public E push(E element) {
    add(element);
    return element;
  }

  public synchronized E pop() {
    E top = peek();
    remove(size() - 1);
    return top;
  }

  public synchronized E peek() {
    if (isEmpty()) {
      throw new EmptyStackException();
    }
    return get(size() - 1);
  }

  public boolean empty() {
    return isEmpty();
  }

  public synchronized int search(Object element) {
    int index = lastIndexOf(element);
    return index < 0 ? -1 : size() - index;
  }
}
