// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A map whose keys are one enum's constants, in their order. */
public class EnumMap<K extends Enum<K>, V> extends TreeMap<K, V> {
  public EnumMap(Class<K> keyType) {}

  public EnumMap(Map<K, ? extends V> source) {
    putAll(source);
  }
}
