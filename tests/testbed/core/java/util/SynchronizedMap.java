// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A map whose every call holds a lock; iterations over its views are the caller's to guard. */
final class SynchronizedMap<K, V> implements Map<K, V> {
  final Object lock = this;
  private final Map<K, V> delegate;

  SynchronizedMap(Map<K, V> delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public int size() {
    synchronized (lock) {
      return delegate.size();
    }
  }

  @Override
  public boolean isEmpty() {
    synchronized (lock) {
      return delegate.isEmpty();
    }
  }

  @Override
  public boolean containsKey(Object key) {
    synchronized (lock) {
      return delegate.containsKey(key);
    }
  }

  @Override
  public boolean containsValue(Object value) {
    synchronized (lock) {
      return delegate.containsValue(value);
    }
  }

  @Override
  public V get(Object key) {
    synchronized (lock) {
      return delegate.get(key);
    }
  }

  @Override
  public V put(K key, V value) {
    synchronized (lock) {
      return delegate.put(key, value);
    }
  }

  @Override
  public V remove(Object key) {
    synchronized (lock) {
      return delegate.remove(key);
    }
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    synchronized (lock) {
      delegate.putAll(entries);
    }
  }

  @Override
  public void clear() {
    synchronized (lock) {
      delegate.clear();
    }
  }

  @Override
  public Set<K> keySet() {
    synchronized (lock) {
      return delegate.keySet();
    }
  }

  @Override
  public Collection<V> values() {
    synchronized (lock) {
      return delegate.values();
    }
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    synchronized (lock) {
      return delegate.entrySet();
    }
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    synchronized (lock) {
      return delegate.getOrDefault(key, otherwise);
    }
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    synchronized (lock) {
      delegate.forEach(action);
    }
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    synchronized (lock) {
      delegate.replaceAll(function);
    }
  }

  @Override
  public V putIfAbsent(K key, V value) {
    synchronized (lock) {
      return delegate.putIfAbsent(key, value);
    }
  }

  @Override
  public boolean remove(Object key, Object value) {
    synchronized (lock) {
      return delegate.remove(key, value);
    }
  }

  @Override
  public boolean replace(K key, V from, V to) {
    synchronized (lock) {
      return delegate.replace(key, from, to);
    }
  }

  @Override
  public V replace(K key, V value) {
    synchronized (lock) {
      return delegate.replace(key, value);
    }
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    synchronized (lock) {
      return delegate.computeIfAbsent(key, function);
    }
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    synchronized (lock) {
      return delegate.computeIfPresent(key, function);
    }
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    synchronized (lock) {
      return delegate.compute(key, function);
    }
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    synchronized (lock) {
      return delegate.merge(key, value, function);
    }
  }

  @Override
  public String toString() {
    synchronized (lock) {
      return delegate.toString();
    }
  }

  @Override
  public boolean equals(Object other) {
    synchronized (lock) {
      return delegate.equals(other);
    }
  }

  @Override
  public int hashCode() {
    synchronized (lock) {
      return delegate.hashCode();
    }
  }
}
