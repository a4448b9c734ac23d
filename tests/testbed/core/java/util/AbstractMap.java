// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map in terms of its entry set. */
public abstract class AbstractMap<K, V> implements Map<K, V> {
  protected AbstractMap() {}

  /** An entry that belongs to no map. */
  public static class SimpleEntry<K, V> implements Entry<K, V>, java.io.Serializable {
    private final K key;
    private V value;

    public SimpleEntry(K key, V value) {
      this.key = key;
      this.value = value;
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    public V getValue() {
      return value;
    }

    @Override
    public V setValue(V newValue) {
      V previous = value;
      value = newValue;
      return previous;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry
          && Objects.equals(key, ((Entry<?, ?>) other).getKey())
          && Objects.equals(value, ((Entry<?, ?>) other).getValue());
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(key) ^ Objects.hashCode(value);
    }

    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  @Override
  public int size() {
    return entrySet().size();
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  private Entry<K, V> find(Object key) {
    for (Entry<K, V> entry : entrySet()) {
      if (Objects.equals(entry.getKey(), key)) {
        return entry;
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(Object key) {
    return find(key) != null;
  }

  @Override
  public boolean containsValue(Object value) {
    return values().contains(value);
  }

  @Override
  public V get(Object key) {
    Entry<K, V> entry = find(key);
    return entry == null ? null : entry.getValue();
  }

  @Override
  public V put(K key, V value) {
    throw new UnsupportedOperationException("put");
  }

  @Override
  public V remove(Object key) {
    V value = get(key);
    entrySet().removeIf(entry -> Objects.equals(entry.getKey(), key));
    return value;
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    for (Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      put(entry.getKey(), entry.getValue());
    }
  }

  @Override
  public void clear() {
    entrySet().clear();
  }

  @Override
  public Set<K> keySet() {
    return new AbstractSet<K>() {
      @Override
      public int size() {
        return AbstractMap.this.size();
      }

      @Override
      public boolean contains(Object key) {
        return containsKey(key);
      }

      @Override
      public boolean remove(Object key) {
        boolean present = containsKey(key);
        AbstractMap.this.remove(key);
        return present;
      }

      @Override
      public Iterator<K> iterator() {
        Iterator<Entry<K, V>> entries = entrySet().iterator();
        return new Iterator<K>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public K next() {
            return entries.next().getKey();
          }

          @Override
          public void remove() {
            entries.remove();
          }
        };
      }
    };
  }

  @Override
  public Collection<V> values() {
    return new AbstractCollection<V>() {
      @Override
      public int size() {
        return AbstractMap.this.size();
      }

      @Override
      public Iterator<V> iterator() {
        Iterator<Entry<K, V>> entries = entrySet().iterator();
        return new Iterator<V>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public V next() {
            return entries.next().getValue();
          }

          @Override
          public void remove() {
            entries.remove();
          }
        };
      }
    };
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Map && entrySet().equals(((Map<?, ?>) other).entrySet());
  }

  @Override
  public int hashCode() {
    return entrySet().hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (Iterator<Entry<K, V>> i = entrySet().iterator(); i.hasNext(); ) {
      Entry<K, V> entry = i.next();
      K key = entry.getKey();
      V value = entry.getValue();
      text.append(key == this ? "(this Map)" : key).append('=').append(value == this ? "(this Map)" : value);
      text.append(i.hasNext() ? ", " : "");
    }
    return text.append('}').toString();
  }
}
