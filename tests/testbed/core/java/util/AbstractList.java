// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A list in terms of get and size, and of set, add and remove by index if it can change. */
public abstract class AbstractList<E> extends AbstractCollection<E> implements List<E> {
  /** Counts structural changes, so that iterators notice them. */
  protected transient int modCount;

  protected AbstractList() {}

  @Override
  public E set(int index, E element) {
    throw new UnsupportedOperationException("set");
  }

  @Override
  public boolean add(E element) {
    add(size(), element);
    return true;
  }

  @Override
  public void add(int index, E element) {
    throw new UnsupportedOperationException("add");
  }

  @Override
  public E remove(int index) {
    throw new UnsupportedOperationException("remove");
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    int at = index;
    for (E element : elements) {
      add(at++, element);
    }
    return at != index;
  }

  @Override
  public int indexOf(Object wanted) {
    for (ListIterator<E> i = listIterator(); i.hasNext(); ) {
      if (Objects.equals(i.next(), wanted)) {
        return i.previousIndex();
      }
    }
    return -1;
  }

  @Override
  public int lastIndexOf(Object wanted) {
    for (ListIterator<E> i = listIterator(size()); i.hasPrevious(); ) {
      if (Objects.equals(i.previous(), wanted)) {
        return i.nextIndex();
      }
    }
    return -1;
  }

  @Override
  public Iterator<E> iterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    checkIndex(index, size() + 1);
    return new IndexIterator(index);
  }

  @Override
  public List<E> subList(int start, int end) {
    if (start < 0 || end > size() || start > end) {
      throw new IndexOutOfBoundsException("from " + start + " to " + end + " of " + size());
    }
    return new SubList<>(this, start, end - start);
  }

  static void checkIndex(int index, int size) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("Index: " + index + ", Size: " + size);
    }
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof List) || ((List<?>) other).size() != size()) {
      return false;
    }
    Iterator<?> theirs = ((List<?>) other).iterator();
    for (E element : this) {
      if (!Objects.equals(element, theirs.next())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (E element : this) {
      hash = 31 * hash + Objects.hashCode(element);
    }
    return hash;
  }

  private final class IndexIterator implements ListIterator<E> {
    private int next;
    private int last = -1;
    private int expectedChanges = modCount;

    IndexIterator(int index) {
      next = index;
    }

    private void checkUnchanged() {
      if (modCount != expectedChanges) {
        throw new ConcurrentModificationException();
      }
    }

    private void checkLast() {
      if (last < 0) {
        throw new IllegalStateException("no element to change");
      }
      checkUnchanged();
    }

    @Override
    public boolean hasNext() {
      return next != size();
    }

    @Override
    public E next() {
      checkUnchanged();
      if (next >= size()) {
        throw new NoSuchElementException();
      }
      last = next;
      return get(next++);
    }

    @Override
    public boolean hasPrevious() {
      return next > 0;
    }

    @Override
    public E previous() {
      checkUnchanged();
      if (next == 0) {
        throw new NoSuchElementException();
      }
      last = --next;
      return get(last);
    }

    @Override
    public int nextIndex() {
      return next;
    }

    @Override
    public int previousIndex() {
      return next - 1;
    }

    @Override
    public void remove() {
      checkLast();
      AbstractList.this.remove(last);
      if (last < next) {
        next--;
      }
      last = -1;
      expectedChanges = modCount;
    }

    @Override
    public void set(E element) {
      checkLast();
      AbstractList.this.set(last, element);
      expectedChanges = modCount;
    }

    @Override
    public void add(E element) {
      checkUnchanged();
      AbstractList.this.add(next++, element);
      last = -1;
      expectedChanges = modCount;
    }
  }

  /** A view of a part of a list. */
  private static final class SubList<E> extends AbstractList<E> {
    private final AbstractList<E> list;
    private final int start;
    private int size;

    SubList(AbstractList<E> list, int start, int size) {
      this.list = list;
      this.start = start;
      this.size = size;
      modCount = list.modCount;
    }

    private void checkUnchanged() {
      if (list.modCount != modCount) {
        throw new ConcurrentModificationException();
      }
    }

    @Override
    public int size() {
      checkUnchanged();
      return size;
    }

    @Override
    public E get(int index) {
      checkUnchanged();
      checkIndex(index, size);
      return list.get(start + index);
    }

    @Override
    public E set(int index, E element) {
      checkIndex(index, size);
      return list.set(start + index, element);
    }

    @Override
    public void add(int index, E element) {
      checkUnchanged();
      checkIndex(index, size + 1);
      list.add(start + index, element);
      size++;
      modCount = list.modCount;
    }

    @Override
    public E remove(int index) {
      checkUnchanged();
      checkIndex(index, size);
      E removed = list.remove(start + index);
      size--;
      modCount = list.modCount;
      return removed;
    }
  }
}
