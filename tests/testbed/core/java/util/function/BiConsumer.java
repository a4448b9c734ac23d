// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface BiConsumer<T, U> {
  void accept(T first, U second);

  default BiConsumer<T, U> andThen(BiConsumer<? super T, ? super U> after) {
    return (first, second) -> {
      accept(first, second);
      after.accept(first, second);
    };
  }
}
