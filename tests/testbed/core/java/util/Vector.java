// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A list whose calls hold a lock; the older form of ArrayList. */
public class Vector<E> extends ArrayList<E> {
  public Vector() {}

  public Vector(int capacity) {
    super(capacity);
  }

  @Override
  public synchronized boolean add(E element) {
    return super.add(element);
  }

  @Override
  public synchronized E get(int index) {
    return super.get(index);
  }

  @Override
  public synchronized E remove(int index) {
    return super.remove(index);
  }

  public void addElement(E element) {
    add(element);
  }

  public E elementAt(int index) {
    return get(index);
  }

  public synchronized E firstElement() {
    return get(0);
  }

  public synchronized E lastElement() {
    return get(size() - 1);
  }
}
