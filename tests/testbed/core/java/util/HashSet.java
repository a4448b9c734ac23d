// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set over the keys of a hash map. */
public class HashSet<E> extends MapSet<E> implements Cloneable, java.io.Serializable {
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
    super(map);
  }

  @Override
  public Object clone() {
    return new HashSet<>(this);
  }
}
