// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A map for many threads: a hash map behind one lock, whose iterations see a snapshot. It takes no nulls. */
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, java.io.Serializable {
  private final HashMap<K, V> map;

  public ConcurrentHashMap() {
    map = new HashMap<>();
  }

  public ConcurrentHashMap(int capacity) {
    map = new HashMap<>(capacity);
  }

  public ConcurrentHashMap(Map<? extends K, ? extends V> source) {
    map = new HashMap<>(source);
  }

  public static <T> Set<T> newKeySet() {
    return Collections.newSetFromMap(new ConcurrentHashMap<>());
  }

  @Override
  public synchronized int size() {
    return map.size();
  }

  @Override
  public synchronized boolean containsKey(Object key) {
    return map.containsKey(Objects.requireNonNull(key));
  }

  @Override
  public synchronized V get(Object key) {
    return map.get(Objects.requireNonNull(key));
  }

  @Override
  public synchronized V put(K key, V value) {
    return map.put(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @Override
  public synchronized V remove(Object key) {
    return map.remove(Objects.requireNonNull(key));
  }

  @Override
  public synchronized void clear() {
    map.clear();
  }

  @Override
  public synchronized V putIfAbsent(K key, V value) {
    return map.putIfAbsent(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @Override
  public synchronized boolean remove(Object key, Object value) {
    return map.remove(key, value);
  }

  @Override
  public synchronized boolean replace(K key, V from, V to) {
    return map.replace(key, from, Objects.requireNonNull(to));
  }

  @Override
  public synchronized V replace(K key, V value) {
    return map.replace(key, Objects.requireNonNull(value));
  }

  @Override
  public synchronized V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    return map.computeIfAbsent(key, function);
  }

  @Override
  public synchronized V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    return map.computeIfPresent(key, function);
  }

  @Override
  public synchronized V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    return map.compute(key, function);
  }

  @Override
  public synchronized V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    return map.merge(key, value, function);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<Entry<K, V>>() {
      @Override
      public int size() {
        return ConcurrentHashMap.this.size();
      }

      @Override
      public void clear() {
        ConcurrentHashMap.this.clear();
      }

      @Override
      public Iterator<Entry<K, V>> iterator() {
        return new SnapshotIterator();
      }
    };
  }

  private final class SnapshotIterator implements Iterator<Entry<K, V>> {
    private final Iterator<Entry<K, V>> snapshot;
    private K last;

    SnapshotIterator() {
      synchronized (ConcurrentHashMap.this) {
        snapshot = new java.util.ArrayList<>(map.entrySet()).iterator();
      }
    }

    @Override
    public boolean hasNext() {
      return snapshot.hasNext();
    }

    @Override
    public Entry<K, V> next() {
      Entry<K, V> entry = snapshot.next();
      last = entry.getKey();
      return entry;
    }

    @Override
    public void remove() {
      ConcurrentHashMap.this.remove(last);
    }
  }
}
