// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface Predicate<T> {
  boolean test(T value);

  default Predicate<T> and(Predicate<? super T> other) {
    return value -> test(value) && other.test(value);
  }

  default Predicate<T> or(Predicate<? super T> other) {
    return value -> test(value) || other.test(value);
  }

  default Predicate<T> negate() {
    return value -> !test(value);
  }

  static <T> Predicate<T> isEqual(Object wanted) {
    return value -> java.util.Objects.equals(wanted, value);
  }
}
