// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A queue with two ends in a circular array; it takes no nulls. */
public class ArrayDeque<E> extends AbstractCollection<E> implements Deque<E>, Cloneable, java.io.Serializable {
  private Object[] ring;
  private int head;
  private int size;

  public ArrayDeque() {
    this(16);
  }

  public ArrayDeque(int capacity) {
    ring = new Object[Math.max(capacity, 1)];
  }

  public ArrayDeque(Collection<? extends E> source) {
    this(source.size());
    addAll(source);
  }

  private int slot(int index) {
    int slot = head + index;
    return slot >= ring.length ? slot - ring.length : slot;
  }

  @SuppressWarnings("unchecked")
  private E at(int index) {
    return (E) ring[slot(index)];
  }

  private void makeRoom(E element) {
    if (element == null) {
      throw new NullPointerException("element == null");
    }
    if (size == ring.length) {
      Object[] larger = new Object[size * 2];
      for (int i = 0; i < size; i++) {
        larger[i] = at(i);
      }
      ring = larger;
      head = 0;
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void addFirst(E element) {
    makeRoom(element);
    head = head == 0 ? ring.length - 1 : head - 1;
    ring[head] = element;
    size++;
  }

  @Override
  public void addLast(E element) {
    makeRoom(element);
    ring[slot(size)] = element;
    size++;
  }

  @Override
  public E pollFirst() {
    if (size == 0) {
      return null;
    }
    E element = at(0);
    ring[head] = null;
    head = slot(1);
    size--;
    return element;
  }

  @Override
  public E pollLast() {
    if (size == 0) {
      return null;
    }
    E element = at(size - 1);
    ring[slot(size - 1)] = null;
    size--;
    return element;
  }

  private void removeAt(int index) {
    for (int i = index; i < size - 1; i++) {
      ring[slot(i)] = at(i + 1);
    }
    pollLast();
  }

  private static <T> T present(T element) {
    if (element == null) {
      throw new NoSuchElementException();
    }
    return element;
  }

  @Override
  public boolean add(E element) {
    addLast(element);
    return true;
  }

  @Override
  public E removeFirst() {
    return present(pollFirst());
  }

  @Override
  public E removeLast() {
    return present(pollLast());
  }

  @Override
  public E getFirst() {
    return present(peekFirst());
  }

  @Override
  public E getLast() {
    return present(peekLast());
  }

  @Override
  public E peekFirst() {
    return size == 0 ? null : at(0);
  }

  @Override
  public E peekLast() {
    return size == 0 ? null : at(size - 1);
  }

  @Override
  public boolean remove(Object wanted) {
    return removeFirstOccurrence(wanted);
  }

  @Override
  public boolean removeFirstOccurrence(Object wanted) {
    for (int i = 0; i < size; i++) {
      if (at(i).equals(wanted)) {
        removeAt(i);
        return true;
      }
    }
    return false;
  }

  @Override
  public void clear() {
    Arrays.fill(ring, null);
    head = 0;
    size = 0;
  }

  @Override
  public Iterator<E> iterator() {
    return new DequeIterator(0, 1);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return new DequeIterator(size - 1, -1);
  }

  private final class DequeIterator implements Iterator<E> {
    private int next;
    private final int step;

    DequeIterator(int first, int step) {
      next = first;
      this.step = step;
    }

    @Override
    public boolean hasNext() {
      return next >= 0 && next < size;
    }

    @Override
    public E next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      E element = at(next);
      next += step;
      return element;
    }

    @Override
    public void remove() {
      removeAt(next - step);
      if (step > 0) {
        next--;
      }
    }
  }
}
