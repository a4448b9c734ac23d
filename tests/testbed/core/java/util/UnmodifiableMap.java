// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.BiFunction;
import java.util.function.Function;

/** A view of a map that refuses changes. */
final class UnmodifiableMap<K, V> extends AbstractMap<K, V> {
  private final Map<? extends K, ? extends V> target;

  UnmodifiableMap(Map<? extends K, ? extends V> target) {
    this.target = Objects.requireNonNull(target);
  }

  @Override
  public int size() {
    return target.size();
  }

  @Override
  public boolean containsKey(Object key) {
    return target.containsKey(key);
  }

  @Override
  public V get(Object key) {
    return target.get(key);
  }

  @Override
  public V remove(Object key) {
    throw new UnsupportedOperationException("remove");
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    throw new UnsupportedOperationException("computeIfAbsent");
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    throw new UnsupportedOperationException("merge");
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    Set<Entry<K, V>> entries = new LinkedHashSet<>();
    for (Entry<? extends K, ? extends V> entry : target.entrySet()) {
      entries.add(new ReadOnlyEntry<>(entry.getKey(), entry.getValue()));
    }
    return new UnmodifiableSet<>(entries);
  }

  private static final class ReadOnlyEntry<K, V> extends SimpleEntry<K, V> {
    ReadOnlyEntry(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      throw new UnsupportedOperationException("setValue");
    }
  }
}
