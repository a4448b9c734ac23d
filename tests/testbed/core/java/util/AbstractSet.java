// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set in terms of its iterator and size. */
public abstract class AbstractSet<E> extends AbstractCollection<E> implements Set<E> {
  protected AbstractSet() {}

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Set
            && ((Set<?>) other).size() == size()
            && containsAll((Set<?>) other);
  }

  @Override
  public int hashCode() {
    int hash = 0;
    for (E element : this) {
      hash += Objects.hashCode(element);
    }
    return hash;
  }
}
