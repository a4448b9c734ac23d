// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A list in an array that grows. */
public class ArrayList<E> extends AbstractList<E> implements RandomAccess, Cloneable, java.io.Serializable {
  private Object[] elements;
  private int size;

  public ArrayList() {
    this(10);
  }

  public ArrayList(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("Illegal Capacity: " + capacity);
    }
    elements = new Object[capacity];
  }

  public ArrayList(Collection<? extends E> source) {
    elements = source.toArray();
    size = elements.length;
  }

  @Override
  public int size() {
    return size;
  }

  public void ensureCapacity(int wanted) {
    if (wanted > elements.length) {
      elements = Arrays.copyOf(elements, Math.max(wanted, elements.length + (elements.length >> 1) + 1));
    }
  }

  public void trimToSize() {
    elements = Arrays.copyOf(elements, size);
  }

  @Override
  @SuppressWarnings("unchecked")
  public E get(int index) {
    checkIndex(index, size);
    return (E) elements[index];
  }

  @Override
  public E set(int index, E element) {
    E previous = get(index);
    elements[index] = element;
    return previous;
  }

  @Override
  public boolean add(E element) {
    modCount++;
    ensureCapacity(size + 1);
    elements[size++] = element;
    return true;
  }

  @Override
  public void add(int index, E element) {
    checkIndex(index, size + 1);
    modCount++;
    ensureCapacity(size + 1);
    System.arraycopy(elements, index, elements, index + 1, size - index);
    elements[index] = element;
    size++;
  }

  @Override
  public boolean addAll(Collection<? extends E> added) {
    return addAll(size, added);
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> added) {
    checkIndex(index, size + 1);
    Object[] source = added.toArray();
    modCount++;
    ensureCapacity(size + source.length);
    System.arraycopy(elements, index, elements, index + source.length, size - index);
    System.arraycopy(source, 0, elements, index, source.length);
    size += source.length;
    return source.length > 0;
  }

  @Override
  public E remove(int index) {
    E removed = get(index);
    modCount++;
    System.arraycopy(elements, index + 1, elements, index, size - index - 1);
    elements[--size] = null;
    return removed;
  }

  @Override
  public boolean remove(Object wanted) {
    int index = indexOf(wanted);
    if (index >= 0) {
      remove(index);
    }
    return index >= 0;
  }

  @Override
  @SuppressWarnings("unchecked")
  public boolean removeIf(java.util.function.Predicate<? super E> condition) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!condition.test((E) elements[i])) {
        elements[kept++] = elements[i];
      }
    }
    boolean changed = kept < size;
    Arrays.fill(elements, kept, size, null);
    size = kept;
    modCount += changed ? 1 : 0;
    return changed;
  }

  @Override
  public void clear() {
    modCount++;
    Arrays.fill(elements, 0, size, null);
    size = 0;
  }

  @Override
  @SuppressWarnings("unchecked")
  public void sort(Comparator<? super E> order) {
    Arrays.sort((E[]) elements, 0, size, order);
    modCount++;
  }

  @Override
  public Object clone() {
    return new ArrayList<>(this);
  }
}
