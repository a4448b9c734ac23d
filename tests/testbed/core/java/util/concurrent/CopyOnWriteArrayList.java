// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.RandomAccess;

/** A list for many threads: every change makes a new array, and iterations see the one they began with. */
public class CopyOnWriteArrayList<E> extends AbstractList<E> implements RandomAccess, java.io.Serializable {
  private volatile Object[] elements = new Object[0];

  public CopyOnWriteArrayList() {}

  public CopyOnWriteArrayList(Collection<? extends E> source) {
    elements = source.toArray();
  }

  @Override
  public int size() {
    return elements.length;
  }

  @Override
  @SuppressWarnings("unchecked")
  public E get(int index) {
    return (E) elements[index];
  }

  @Override
  public synchronized E set(int index, E element) {
    E previous = get(index);
    Object[] copy = elements.clone();
    copy[index] = element;
    elements = copy;
    return previous;
  }

  @Override
  public synchronized boolean add(E element) {
    add(elements.length, element);
    return true;
  }

  @Override
  public synchronized void add(int index, E element) {
    Object[] old = elements;
    Object[] copy = Arrays.copyOf(old, old.length + 1);
    System.arraycopy(old, index, copy, index + 1, old.length - index);
    copy[index] = element;
    elements = copy;
  }

  public synchronized boolean addIfAbsent(E element) {
    return !contains(element) && add(element);
  }

  @Override
  public synchronized E remove(int index) {
    E removed = get(index);
    Object[] old = elements;
    Object[] copy = Arrays.copyOf(old, old.length - 1);
    System.arraycopy(old, index + 1, copy, index, old.length - index - 1);
    elements = copy;
    return removed;
  }

  @Override
  public synchronized boolean remove(Object element) {
    int index = indexOf(element);
    if (index >= 0) {
      remove(index);
    }
    return index >= 0;
  }

  @Override
  public synchronized boolean removeIf(java.util.function.Predicate<? super E> condition) {
    java.util.List<E> kept = new java.util.ArrayList<>(this);
    boolean changed = kept.removeIf(condition);
    elements = kept.toArray();
    return changed;
  }

  @Override
  public synchronized void clear() {
    elements = new Object[0];
  }

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<E> iterator() {
    Iterator<Object> snapshot = Arrays.asList(elements).iterator();
    return new Iterator<E>() {
      @Override
      public boolean hasNext() {
        return snapshot.hasNext();
      }

      @Override
      public E next() {
        return (E) snapshot.next();
      }
    };
  }
}
