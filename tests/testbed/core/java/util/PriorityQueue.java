// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A queue that gives out the least element: a binary heap in an array. */
public class PriorityQueue<E> extends AbstractQueue<E> implements java.io.Serializable {
  private final Comparator<? super E> comparator;
  private final ArrayList<E> heap = new ArrayList<>();

  public PriorityQueue() {
    this(11, null);
  }

  public PriorityQueue(int capacity) {
    this(capacity, null);
  }

  public PriorityQueue(Comparator<? super E> comparator) {
    this(11, comparator);
  }

  public PriorityQueue(int capacity, Comparator<? super E> comparator) {
    this.comparator = comparator;
  }

  public PriorityQueue(Collection<? extends E> source) {
    this();
    addAll(source);
  }

  public Comparator<? super E> comparator() {
    return comparator;
  }

  @SuppressWarnings("unchecked")
  private boolean less(E left, E right) {
    return (comparator == null ? ((Comparable<E>) left).compareTo(right) : comparator.compare(left, right)) < 0;
  }

  private void siftUp(int start, E element) {
    int index = start;
    while (index > 0 && less(element, heap.get((index - 1) / 2))) {
      heap.set(index, heap.get((index - 1) / 2));
      index = (index - 1) / 2;
    }
    heap.set(index, element);
  }

  private void siftDown(int start, E element) {
    int index = start;
    int child = 2 * index + 1;
    while (child < heap.size()) {
      if (child + 1 < heap.size() && less(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      if (!less(heap.get(child), element)) {
        break;
      }
      heap.set(index, heap.get(child));
      index = child;
      child = 2 * index + 1;
    }
    heap.set(index, element);
  }

  @Override
  public boolean offer(E element) {
    heap.add(Objects.requireNonNull(element));
    siftUp(heap.size() - 1, element);
    return true;
  }

  @Override
  public E peek() {
    return heap.isEmpty() ? null : heap.get(0);
  }

  @Override
  public E poll() {
    if (heap.isEmpty()) {
      return null;
    }
    E first = heap.get(0);
    removeAt(0);
    return first;
  }

  private void removeAt(int index) {
    E last = heap.remove(heap.size() - 1);
    if (index < heap.size()) {
      siftDown(index, last);
      if (heap.get(index) == last) {
        siftUp(index, last);
      }
    }
  }

  @Override
  public boolean remove(Object element) {
    int index = heap.indexOf(element);
    if (index >= 0) {
      removeAt(index);
    }
    return index >= 0;
  }

  @Override
  public int size() {
    return heap.size();
  }

  @Override
  public void clear() {
    heap.clear();
  }

  @Override
  public Iterator<E> iterator() {
    Iterator<E> snapshot = new ArrayList<>(heap).iterator();
    return new Iterator<E>() {
      private E last;

      @Override
      public boolean hasNext() {
        return snapshot.hasNext();
      }

      @Override
      public E next() {
        last = snapshot.next();
        return last;
      }

      @Override
      public void remove() {
        PriorityQueue.this.remove(last);
      }
    };
  }
}
