// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map whose keys are compared by identity. */
public class IdentityHashMap<K, V> extends AbstractMap<K, V> {
  private static final class Identity<K> {
    final K object;

    Identity(K object) {
      this.object = object;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Identity && ((Identity<?>) other).object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  private final Map<Identity<K>, V> map = new HashMap<>();

  @Override
  public boolean containsKey(Object key) {
    return map.containsKey(new Identity<>(key));
  }

  @Override
  public V get(Object key) {
    return map.get(new Identity<>(key));
  }

  @Override
  public V put(K key, V value) {
    return map.put(new Identity<>(key), value);
  }

  @Override
  public V remove(Object key) {
    return map.remove(new Identity<>(key));
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    Set<Entry<K, V>> entries = new HashSet<>();
    for (Entry<Identity<K>, V> entry : map.entrySet()) {
      entries.add(new SimpleEntry<>(entry.getKey().object, entry.getValue()));
    }
    return Collections.unmodifiableSet(entries);
  }
}
