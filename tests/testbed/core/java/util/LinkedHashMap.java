// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A hash map whose iteration order is that of insertion, or of access. */
public class LinkedHashMap<K, V> extends HashMap<K, V> {
  private final boolean accessOrder;
  private Node<K, V> eldest;
  private Node<K, V> youngest;

  public LinkedHashMap() {
    this(16);
  }

  public LinkedHashMap(int capacity) {
    this(capacity, 0.75f, false);
  }

  public LinkedHashMap(int capacity, float loadFactor) {
    this(capacity, loadFactor, false);
  }

  public LinkedHashMap(int capacity, float loadFactor, boolean accessOrder) {
    super(capacity, loadFactor);
    this.accessOrder = accessOrder;
  }

  public LinkedHashMap(Map<? extends K, ? extends V> source) {
    this();
    putAll(source);
  }

  /** True if the eldest entry is to be removed after an insertion. */
  protected boolean removeEldestEntry(Map.Entry<K, V> oldest) {
    return false;
  }

  @Override
  void added(Node<K, V> node) {
    append(node);
    if (removeEldestEntry(eldest)) {
      remove(eldest.getKey());
    }
  }

  @Override
  void accessed(Node<K, V> node) {
    if (accessOrder && node != youngest) {
      removed(node);
      append(node);
      modCount++;
    }
  }

  @Override
  void removed(Node<K, V> node) {
    if (node.before == null) {
      eldest = node.after;
    } else {
      node.before.after = node.after;
    }
    if (node.after == null) {
      youngest = node.before;
    } else {
      node.after.before = node.before;
    }
  }

  private void append(Node<K, V> node) {
    node.before = youngest;
    node.after = null;
    if (youngest == null) {
      eldest = node;
    } else {
      youngest.after = node;
    }
    youngest = node;
  }

  @Override
  Node<K, V> first() {
    return eldest;
  }

  @Override
  Node<K, V> successor(Node<K, V> node) {
    return node.after;
  }

  @Override
  public void clear() {
    super.clear();
    eldest = null;
    youngest = null;
  }
}
