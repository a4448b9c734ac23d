// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to values of the same type. */
@FunctionalInterface
public interface UnaryOperator<T> extends Function<T, T> {
  static <T> UnaryOperator<T> identity() {
    return value -> value;
  }
}
