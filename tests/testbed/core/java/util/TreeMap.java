// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map in the order of its keys: an AVL tree. Sub-maps are copies that do not write through. */
public class TreeMap<K, V> extends AbstractMap<K, V> implements NavigableMap<K, V>, Cloneable, java.io.Serializable {
  private final Comparator<? super K> comparator;
  private TreeMapNode<K, V> root;
  private int size;
  private int modCount;

  /** Result of the last recursive put or remove. */
  private TreeMapNode<K, V> found;

  public TreeMap() {
    this((Comparator<? super K>) null);
  }

  public TreeMap(Comparator<? super K> comparator) {
    this.comparator = comparator;
  }

  public TreeMap(Map<? extends K, ? extends V> source) {
    this();
    putAll(source);
  }

  @SuppressWarnings("unchecked")
  private int compare(Object left, Object right) {
    return comparator == null
        ? ((Comparable<Object>) left).compareTo(right)
        : ((Comparator<Object>) comparator).compare(left, right);
  }

  private TreeMapNode<K, V> insert(TreeMapNode<K, V> node, K key, V value) {
    if (node == null) {
      size++;
      modCount++;
      return new TreeMapNode<>(key, value);
    }
    int order = compare(key, node.getKey());
    if (order == 0) {
      found = node;
      return node;
    } else if (order < 0) {
      node.left = insert(node.left, key, value);
    } else {
      node.right = insert(node.right, key, value);
    }
    return TreeMapNode.balance(node);
  }

  private TreeMapNode<K, V> delete(TreeMapNode<K, V> node, Object key) {
    if (node == null) {
      return null;
    }
    int order = compare(key, node.getKey());
    if (order < 0) {
      node.left = delete(node.left, key);
    } else if (order > 0) {
      node.right = delete(node.right, key);
    } else {
      found = node;
      if (node.left == null || node.right == null) {
        return node.left == null ? node.right : node.left;
      }
      TreeMapNode<K, V> successor = node.right;
      while (successor.left != null) {
        successor = successor.left;
      }
      successor.right = deleteFirst(node.right);
      successor.left = node.left;
      return TreeMapNode.balance(successor);
    }
    return TreeMapNode.balance(node);
  }

  private static <K, V> TreeMapNode<K, V> deleteFirst(TreeMapNode<K, V> node) {
    if (node.left == null) {
      return node.right;
    }
    node.left = deleteFirst(node.left);
    return TreeMapNode.balance(node);
  }

  private TreeMapNode<K, V> find(Object key) {
    TreeMapNode<K, V> node = root;
    while (node != null) {
      int order = compare(key, node.getKey());
      if (order == 0) {
        return node;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** The greatest entry below {@code key}, or at it if {@code inclusive}. */
  private TreeMapNode<K, V> below(K key, boolean inclusive) {
    TreeMapNode<K, V> best = null;
    TreeMapNode<K, V> node = root;
    while (node != null) {
      int order = compare(key, node.getKey());
      if (order > 0 || order == 0 && inclusive) {
        best = node;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return best;
  }

  private TreeMapNode<K, V> above(K key, boolean inclusive) {
    TreeMapNode<K, V> best = null;
    TreeMapNode<K, V> node = root;
    while (node != null) {
      int order = compare(key, node.getKey());
      if (order < 0 || order == 0 && inclusive) {
        best = node;
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return best;
  }

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
    TreeMapNode<K, V> node = find(key);
    return node == null ? null : node.getValue();
  }

  @Override
  public V put(K key, V value) {
    compare(key, key);
    found = null;
    root = insert(root, key, value);
    return found == null ? null : found.setValue(value);
  }

  @Override
  public V remove(Object key) {
    found = null;
    root = delete(root, key);
    if (found == null) {
      return null;
    }
    size--;
    modCount++;
    return found.getValue();
  }

  @Override
  public void clear() {
    root = null;
    size = 0;
    modCount++;
  }

  @Override
  public Comparator<? super K> comparator() {
    return comparator;
  }

  @Override
  public Map.Entry<K, V> firstEntry() {
    TreeMapNode<K, V> node = root;
    while (node != null && node.left != null) {
      node = node.left;
    }
    return node;
  }

  @Override
  public Map.Entry<K, V> lastEntry() {
    TreeMapNode<K, V> node = root;
    while (node != null && node.right != null) {
      node = node.right;
    }
    return node;
  }

  private Map.Entry<K, V> removeEntry(Map.Entry<K, V> entry) {
    if (entry != null) {
      remove(entry.getKey());
    }
    return entry;
  }

  @Override
  public Map.Entry<K, V> pollFirstEntry() {
    return removeEntry(firstEntry());
  }

  @Override
  public Map.Entry<K, V> pollLastEntry() {
    return removeEntry(lastEntry());
  }

  @Override
  public Map.Entry<K, V> lowerEntry(K key) {
    return below(key, false);
  }

  @Override
  public Map.Entry<K, V> floorEntry(K key) {
    return below(key, true);
  }

  @Override
  public Map.Entry<K, V> ceilingEntry(K key) {
    return above(key, true);
  }

  @Override
  public Map.Entry<K, V> higherEntry(K key) {
    return above(key, false);
  }

  private static <K> K keyOf(Map.Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  private static <K> K presentKey(Map.Entry<K, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException();
    }
    return entry.getKey();
  }

  @Override
  public K firstKey() {
    return presentKey(firstEntry());
  }

  @Override
  public K lastKey() {
    return presentKey(lastEntry());
  }

  @Override
  public K lowerKey(K key) {
    return keyOf(lowerEntry(key));
  }

  @Override
  public K floorKey(K key) {
    return keyOf(floorEntry(key));
  }

  @Override
  public K ceilingKey(K key) {
    return keyOf(ceilingEntry(key));
  }

  @Override
  public K higherKey(K key) {
    return keyOf(higherEntry(key));
  }

  private TreeMap<K, V> copyRange(K start, K end) {
    TreeMap<K, V> copy = new TreeMap<>(comparator);
    TreeMapNode<K, V> node = start == null ? (TreeMapNode<K, V>) firstEntry() : above(start, true);
    while (node != null && (end == null || compare(node.getKey(), end) < 0)) {
      copy.put(node.getKey(), node.getValue());
      node = above(node.getKey(), false);
    }
    return copy;
  }

  @Override
  public SortedMap<K, V> headMap(K end) {
    return copyRange(null, end);
  }

  @Override
  public SortedMap<K, V> tailMap(K start) {
    return copyRange(start, null);
  }

  @Override
  public SortedMap<K, V> subMap(K start, K end) {
    return copyRange(start, end);
  }

  @Override
  public NavigableMap<K, V> descendingMap() {
    TreeMap<K, V> copy = new TreeMap<>((left, right) -> compare(right, left));
    copy.putAll(this);
    return copy;
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<Map.Entry<K, V>>() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public void clear() {
        TreeMap.this.clear();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new EntryIterator();
      }
    };
  }

  private final class EntryIterator implements Iterator<Map.Entry<K, V>> {
    private TreeMapNode<K, V> next = (TreeMapNode<K, V>) firstEntry();
    private TreeMapNode<K, V> last;
    private int expectedChanges = modCount;

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (modCount != expectedChanges) {
        throw new ConcurrentModificationException();
      }
      if (next == null) {
        throw new NoSuchElementException();
      }
      last = next;
      next = above(next.getKey(), false);
      return last;
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("no element to remove");
      }
      TreeMap.this.remove(last.getKey());
      last = null;
      expectedChanges = modCount;
    }
  }

  @Override
  public Object clone() {
    return copyRange(null, null);
  }
}
