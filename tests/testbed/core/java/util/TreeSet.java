// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set in ascending order, over the keys of a tree map. Sub-sets are copies that do not write through. */
public class TreeSet<E> extends MapSet<E> implements NavigableSet<E>, Cloneable, java.io.Serializable {
  private final NavigableMap<E, Boolean> map;

  public TreeSet() {
    this(new TreeMap<>());
  }

  public TreeSet(Comparator<? super E> comparator) {
    this(new TreeMap<>(comparator));
  }

  public TreeSet(Collection<? extends E> source) {
    this();
    addAll(source);
  }

  private TreeSet(NavigableMap<E, Boolean> map) {
    super(map);
    this.map = map;
  }

  @Override
  public Comparator<? super E> comparator() {
    return map.comparator();
  }

  @Override
  public E first() {
    return map.firstKey();
  }

  @Override
  public E last() {
    return map.lastKey();
  }

  @Override
  public E lower(E element) {
    return map.lowerKey(element);
  }

  @Override
  public E floor(E element) {
    return map.floorKey(element);
  }

  @Override
  public E ceiling(E element) {
    return map.ceilingKey(element);
  }

  @Override
  public E higher(E element) {
    return map.higherKey(element);
  }

  private static <E> E keyOf(Map.Entry<E, Boolean> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public E pollFirst() {
    return keyOf(map.pollFirstEntry());
  }

  @Override
  public E pollLast() {
    return keyOf(map.pollLastEntry());
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return new TreeSet<>(map.descendingMap());
  }

  @Override
  public Iterator<E> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public SortedSet<E> headSet(E end) {
    return new TreeSet<>((NavigableMap<E, Boolean>) map.headMap(end));
  }

  @Override
  public SortedSet<E> tailSet(E start) {
    return new TreeSet<>((NavigableMap<E, Boolean>) map.tailMap(start));
  }

  @Override
  public SortedSet<E> subSet(E start, E end) {
    return new TreeSet<>((NavigableMap<E, Boolean>) map.subMap(start, end));
  }

  @Override
  public Object clone() {
    return new TreeSet<>(this);
  }
}
