// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set over the keys of a hash map. */
public class HashSet<E> extends AbstractSet<E> implements Cloneable, java.io.Serializable {
  private final HashMap<E, Boolean> map;

  public HashSet() {
    this(new HashMap<>());
  }

  public HashSet(int capacity) {
    this(new HashMap<>(capacity));
  }

  public HashSet(int capacity, float loadFactor) {
    this(new HashMap<>(capacity));
  }

  public HashSet(Collection<? extends E> source) {
    this(new HashMap<>());
    addAll(source);
  }

  HashSet(HashMap<E, Boolean> map) {
    this.map = map;
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean contains(Object element) {
    return map.containsKey(element);
  }

  @Override
  public boolean add(E element) {
    return map.put(element, Boolean.TRUE) == null;
  }

  @Override
  public boolean remove(Object element) {
    return map.remove(element) != null;
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return map.keySet().iterator();
  }

  @Override
  public Object clone() {
    return new HashSet<>(this);
  }
}
