// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map in ascending order of its keys. */
public interface SortedMap<K, V> extends Map<K, V> {
  Comparator<? super K> comparator();

  K firstKey();

  K lastKey();

  SortedMap<K, V> headMap(K end);

  SortedMap<K, V> tailMap(K start);

  SortedMap<K, V> subMap(K start, K end);
}
