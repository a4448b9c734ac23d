// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map in a hash table of chains. */
public class HashMap<K, V> extends AbstractMap<K, V> implements Cloneable, java.io.Serializable {
  /** An entry; LinkedHashMap puts it into a list as well. */
  static class Node<K, V> extends SimpleEntry<K, V> {
    final int hash;
    Node<K, V> chain;
    Node<K, V> before;
    Node<K, V> after;

    Node(K key, V value, int hash) {
      super(key, value);
      this.hash = hash;
    }
  }

  private Node<K, V>[] table;
  private int size;
  int modCount;

  public HashMap() {
    this(16);
  }

  public HashMap(int capacity) {
    this(capacity, 0.75f);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  public HashMap(int capacity, float loadFactor) {
    if (capacity < 0) {
      throw new IllegalArgumentException("Illegal initial capacity: " + capacity);
    }
    int length = 16;
    while (length < capacity && length < 1 << 30) {
      length *= 2;
    }
    table = new Node[length];
  }

  public HashMap(Map<? extends K, ? extends V> source) {
    this(source.size() * 2);
    putAll(source);
  }

  private static int hash(Object key) {
    int hash = Objects.hashCode(key);
    return hash ^ hash >>> 16;
  }

  private int slot(int hash) {
    return hash & table.length - 1;
  }

  final Node<K, V> find(Object key) {
    int hash = hash(key);
    Node<K, V> node = table[slot(hash)];
    while (node != null && !(node.hash == hash && Objects.equals(node.getKey(), key))) {
      node = node.chain;
    }
    return node;
  }

  /** Told about entries, for LinkedHashMap. */
  void added(Node<K, V> node) {}

  void accessed(Node<K, V> node) {}

  void removed(Node<K, V> node) {}

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean containsKey(Object key) {
    return find(key) != null;
  }

  @Override
  public V get(Object key) {
    Node<K, V> node = find(key);
    if (node == null) {
      return null;
    }
    accessed(node);
    return node.getValue();
  }

  @Override
  public V put(K key, V value) {
    Node<K, V> present = find(key);
    if (present != null) {
      accessed(present);
      return present.setValue(value);
    }
    if (size >= table.length / 4 * 3) {
      grow();
    }
    Node<K, V> node = new Node<>(key, value, hash(key));
    int slot = slot(node.hash);
    node.chain = table[slot];
    table[slot] = node;
    size++;
    modCount++;
    added(node);
    return null;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void grow() {
    Node<K, V>[] old = table;
    table = new Node[old.length * 2];
    for (Node<K, V> chain : old) {
      while (chain != null) {
        Node<K, V> node = chain;
        chain = node.chain;
        node.chain = table[slot(node.hash)];
        table[slot(node.hash)] = node;
      }
    }
  }

  @Override
  public V remove(Object key) {
    Node<K, V> node = find(key);
    if (node == null) {
      return null;
    }
    int slot = slot(node.hash);
    if (table[slot] == node) {
      table[slot] = node.chain;
    } else {
      Node<K, V> previous = table[slot];
      while (previous.chain != node) {
        previous = previous.chain;
      }
      previous.chain = node.chain;
    }
    size--;
    modCount++;
    removed(node);
    return node.getValue();
  }

  @Override
  public void clear() {
    Arrays.fill(table, null);
    size = 0;
    modCount++;
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<Entry<K, V>>() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public boolean contains(Object wanted) {
        return wanted instanceof Entry && wanted.equals(find(((Entry<?, ?>) wanted).getKey()));
      }

      @Override
      public void clear() {
        HashMap.this.clear();
      }

      @Override
      public Iterator<Entry<K, V>> iterator() {
        return new EntryIterator();
      }
    };
  }

  /** The first node of the iteration, or null. */
  Node<K, V> first() {
    return firstFrom(0);
  }

  /** The node after {@code node} in the iteration, or null. */
  Node<K, V> successor(Node<K, V> node) {
    return node.chain != null ? node.chain : firstFrom(slot(node.hash) + 1);
  }

  private Node<K, V> firstFrom(int start) {
    for (int slot = start; slot < table.length; slot++) {
      if (table[slot] != null) {
        return table[slot];
      }
    }
    return null;
  }

  private final class EntryIterator implements Iterator<Entry<K, V>> {
    private Node<K, V> next = first();
    private Node<K, V> last;
    private int expectedChanges = modCount;

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Entry<K, V> next() {
      if (modCount != expectedChanges) {
        throw new ConcurrentModificationException();
      }
      if (next == null) {
        throw new NoSuchElementException();
      }
      last = next;
      next = successor(next);
      return last;
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("no element to remove");
      }
      HashMap.this.remove(last.getKey());
      last = null;
      expectedChanges = modCount;
    }
  }

  @Override
  public Object clone() {
    return new HashMap<>(this);
  }
}
