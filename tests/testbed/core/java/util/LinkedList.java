// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A list and a queue with two ends, in a chain of nodes around one that holds no element. */
public class LinkedList<E> extends AbstractList<E> implements Deque<E>, Cloneable, java.io.Serializable {
  private static final class Node<E> {
    E element;
    Node<E> previous;
    Node<E> next;
  }

  private final Node<E> ring = new Node<>();
  private int size;

  public LinkedList() {
    ring.next = ring;
    ring.previous = ring;
  }

  public LinkedList(Collection<? extends E> source) {
    this();
    addAll(source);
  }

  private Node<E> node(int index) {
    Node<E> node = ring;
    if (index < size / 2) {
      for (int i = 0; i <= index; i++) {
        node = node.next;
      }
    } else {
      for (int i = size; i > index; i--) {
        node = node.previous;
      }
    }
    return node;
  }

  private void insertBefore(Node<E> successor, E element) {
    Node<E> node = new Node<>();
    node.element = element;
    node.next = successor;
    node.previous = successor.previous;
    node.previous.next = node;
    successor.previous = node;
    size++;
    modCount++;
  }

  private E unlink(Node<E> node) {
    if (node == ring) {
      throw new NoSuchElementException();
    }
    node.previous.next = node.next;
    node.next.previous = node.previous;
    size--;
    modCount++;
    return node.element;
  }

  private E elementOf(Node<E> node) {
    if (node == ring) {
      throw new NoSuchElementException();
    }
    return node.element;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public E get(int index) {
    checkIndex(index, size);
    return node(index).element;
  }

  @Override
  public E set(int index, E element) {
    checkIndex(index, size);
    Node<E> node = node(index);
    E previous = node.element;
    node.element = element;
    return previous;
  }

  @Override
  public void add(int index, E element) {
    checkIndex(index, size + 1);
    insertBefore(index == size ? ring : node(index), element);
  }

  @Override
  public E remove(int index) {
    checkIndex(index, size);
    return unlink(node(index));
  }

  @Override
  public boolean remove(Object wanted) {
    return removeFirstOccurrence(wanted);
  }

  @Override
  public boolean removeFirstOccurrence(Object wanted) {
    for (Node<E> node = ring.next; node != ring; node = node.next) {
      if (Objects.equals(node.element, wanted)) {
        unlink(node);
        return true;
      }
    }
    return false;
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    checkIndex(index, size + 1);
    return new NodeIterator(index);
  }

  @Override
  public Iterator<E> descendingIterator() {
    ListIterator<E> forward = listIterator(size);
    return new Iterator<E>() {
      @Override
      public boolean hasNext() {
        return forward.hasPrevious();
      }

      @Override
      public E next() {
        return forward.previous();
      }

      @Override
      public void remove() {
        forward.remove();
      }
    };
  }

  @Override
  public void clear() {
    ring.next = ring;
    ring.previous = ring;
    size = 0;
    modCount++;
  }

  @Override
  public void addFirst(E element) {
    insertBefore(ring.next, element);
  }

  @Override
  public void addLast(E element) {
    insertBefore(ring, element);
  }

  @Override
  public E removeFirst() {
    return unlink(ring.next);
  }

  @Override
  public E removeLast() {
    return unlink(ring.previous);
  }

  @Override
  public E pollFirst() {
    return size == 0 ? null : removeFirst();
  }

  @Override
  public E pollLast() {
    return size == 0 ? null : removeLast();
  }

  @Override
  public E getFirst() {
    return elementOf(ring.next);
  }

  @Override
  public E getLast() {
    return elementOf(ring.previous);
  }

  @Override
  public E peekFirst() {
    return ring.next.element;
  }

  @Override
  public E peekLast() {
    return ring.previous.element;
  }

  @Override
  public Object clone() {
    return new LinkedList<>(this);
  }

  private final class NodeIterator implements ListIterator<E> {
    private Node<E> next;
    private Node<E> last;
    private int nextIndex;
    private int expectedChanges = modCount;

    NodeIterator(int index) {
      next = index == size ? ring : node(index);
      nextIndex = index;
    }

    private void checkUnchanged() {
      if (modCount != expectedChanges) {
        throw new ConcurrentModificationException();
      }
    }

    private void checkLast() {
      if (last == null) {
        throw new IllegalStateException("no element to change");
      }
      checkUnchanged();
    }

    @Override
    public boolean hasNext() {
      return nextIndex < size;
    }

    @Override
    public E next() {
      checkUnchanged();
      last = next;
      E element = elementOf(next);
      next = next.next;
      nextIndex++;
      return element;
    }

    @Override
    public boolean hasPrevious() {
      return nextIndex > 0;
    }

    @Override
    public E previous() {
      checkUnchanged();
      E element = elementOf(next.previous);
      next = next.previous;
      last = next;
      nextIndex--;
      return element;
    }

    @Override
    public int nextIndex() {
      return nextIndex;
    }

    @Override
    public int previousIndex() {
      return nextIndex - 1;
    }

    @Override
    public void remove() {
      checkLast();
      if (last == next) {
        next = next.next;
      } else {
        nextIndex--;
      }
      unlink(last);
      last = null;
      expectedChanges = modCount;
    }

    @Override
    public void set(E element) {
      checkLast();
      last.element = element;
    }

    @Override
    public void add(E element) {
      checkUnchanged();
      insertBefore(next, element);
      nextIndex++;
      last = null;
      expectedChanges = modCount;
    }
  }
}
