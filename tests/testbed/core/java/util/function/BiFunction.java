// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface BiFunction<T, U, R> {
  R apply(T first, U second);

  default <V> BiFunction<T, U, V> andThen(Function<? super R, ? extends V> after) {
    return (first, second) -> after.apply(apply(first, second));
  }
}
