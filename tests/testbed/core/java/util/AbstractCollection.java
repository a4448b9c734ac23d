// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A collection in terms of its iterator and size. */
public abstract class AbstractCollection<E> implements Collection<E> {
  protected AbstractCollection() {}

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public boolean contains(Object wanted) {
    for (E element : this) {
      if (Objects.equals(element, wanted)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Object[] toArray() {
    return toArray(new Object[size()]);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T[] toArray(T[] target) {
    int size = size();
    T[] result = target.length >= size ? target : Arrays.copyOf(target, size);
    int i = 0;
    for (E element : this) {
      result[i++] = (T) element;
    }
    if (i < result.length) {
      result[i] = null;
    }
    return result;
  }

  @Override
  public boolean add(E element) {
    throw new UnsupportedOperationException("add");
  }

  @Override
  public boolean remove(Object wanted) {
    for (Iterator<E> i = iterator(); i.hasNext(); ) {
      if (Objects.equals(i.next(), wanted)) {
        i.remove();
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    for (Object element : elements) {
      if (!contains(element)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    boolean changed = false;
    for (E element : elements) {
      changed |= add(element);
    }
    return changed;
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    return removeIf(element -> elements.contains(element));
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    return removeIf(element -> !elements.contains(element));
  }

  @Override
  public void clear() {
    removeIf(element -> true);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (Iterator<E> i = iterator(); i.hasNext(); ) {
      E element = i.next();
      text.append(element == this ? "(this Collection)" : element).append(i.hasNext() ? ", " : "");
    }
    return text.append(']').toString();
  }
}
