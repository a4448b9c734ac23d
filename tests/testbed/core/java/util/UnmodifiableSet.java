// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A view of a set that refuses changes. */
final class UnmodifiableSet<E> extends UnmodifiableCollection<E> implements Set<E> {
  private final Set<? extends E> target;

  UnmodifiableSet(Set<? extends E> target) {
    super(target);
    this.target = target;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || target.equals(other);
  }

  @Override
  public int hashCode() {
    return target.hashCode();
  }
}
