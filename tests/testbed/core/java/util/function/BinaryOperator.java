// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to values of the same type. */
@FunctionalInterface
public interface BinaryOperator<T> extends BiFunction<T, T, T> {
  static <T> BinaryOperator<T> minBy(java.util.Comparator<? super T> order) {
    return (left, right) -> order.compare(left, right) <= 0 ? left : right;
  }

  static <T> BinaryOperator<T> maxBy(java.util.Comparator<? super T> order) {
    return (left, right) -> order.compare(left, right) >= 0 ? left : right;
  }
}
