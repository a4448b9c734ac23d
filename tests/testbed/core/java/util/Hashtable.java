// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A hash map whose calls hold a lock; the older form of HashMap. */
public class Hashtable<K, V> extends HashMap<K, V> {
  @Override
  public synchronized V get(Object key) {
    return super.get(Objects.requireNonNull(key));
  }

  @Override
  public synchronized V put(K key, V value) {
    return super.put(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @Override
  public synchronized V remove(Object key) {
    return super.remove(key);
  }
}
