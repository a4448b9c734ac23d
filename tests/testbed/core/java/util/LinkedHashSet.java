// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A hash set that is iterated over in the order of insertion. */
public class LinkedHashSet<E> extends HashSet<E> {
  public LinkedHashSet() {
    super(new LinkedHashMap<>());
  }

  public LinkedHashSet(int capacity) {
    super(new LinkedHashMap<>(capacity));
  }

  public LinkedHashSet(Collection<? extends E> source) {
    this();
    addAll(source);
  }
}
