// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set over the keys of a map. */
class MapSet<E> extends AbstractSet<E> {
  private final Map<E, Boolean> map;

  MapSet(Map<E, Boolean> map) {
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
}
