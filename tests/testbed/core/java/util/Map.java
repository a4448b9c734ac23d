// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Values by key. */
public interface Map<K, V> {
  /** A key and its value. */
  interface Entry<K, V> {
    K getKey();

    V getValue();

    V setValue(V value);

    static <K extends Comparable<? super K>, V> Comparator<Entry<K, V>> comparingByKey() {
      return (left, right) -> left.getKey().compareTo(right.getKey());
    }

    static <K, V extends Comparable<? super V>> Comparator<Entry<K, V>> comparingByValue() {
      return (left, right) -> left.getValue().compareTo(right.getValue());
    }

    static <K, V> Comparator<Entry<K, V>> comparingByValue(Comparator<? super V> order) {
      return (left, right) -> order.compare(left.getValue(), right.getValue());
    }
  }

  int size();

  boolean isEmpty();

  boolean containsKey(Object key);

  boolean containsValue(Object value);

  V get(Object key);

  V put(K key, V value);

  V remove(Object key);

  void putAll(Map<? extends K, ? extends V> entries);

  void clear();

  Set<K> keySet();

  Collection<V> values();

  Set<Entry<K, V>> entrySet();

  default V getOrDefault(Object key, V otherwise) {
    V value = get(key);
    return value != null || containsKey(key) ? value : otherwise;
  }

  default void forEach(BiConsumer<? super K, ? super V> action) {
    for (Entry<K, V> entry : entrySet()) {
      action.accept(entry.getKey(), entry.getValue());
    }
  }

  default void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    for (Entry<K, V> entry : entrySet()) {
      entry.setValue(function.apply(entry.getKey(), entry.getValue()));
    }
  }

  default V putIfAbsent(K key, V value) {
    V present = get(key);
    return present == null ? put(key, value) : present;
  }

  default boolean remove(Object key, Object value) {
    boolean matches = containsKey(key) && Objects.equals(get(key), value);
    if (matches) {
      remove(key);
    }
    return matches;
  }

  default boolean replace(K key, V from, V to) {
    boolean matches = containsKey(key) && Objects.equals(get(key), from);
    if (matches) {
      put(key, to);
    }
    return matches;
  }

  default V replace(K key, V value) {
    return containsKey(key) ? put(key, value) : null;
  }

  default V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    V present = get(key);
    if (present != null) {
      return present;
    }
    V value = function.apply(key);
    if (value != null) {
      put(key, value);
    }
    return value;
  }

  default V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    return get(key) == null ? null : compute(key, function);
  }

  default V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    V value = function.apply(key, get(key));
    if (value == null) {
      remove(key);
    } else {
      put(key, value);
    }
    return value;
  }

  default V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    V present = get(key);
    V merged = present == null ? value : function.apply(present, value);
    if (merged == null) {
      remove(key);
    } else {
      put(key, merged);
    }
    return merged;
  }
}
