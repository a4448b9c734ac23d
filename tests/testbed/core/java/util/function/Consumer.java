// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface Consumer<T> {
  void accept(T value);

  default Consumer<T> andThen(Consumer<? super T> after) {
    return value -> {
      accept(value);
      after.accept(value);
    };
  }
}
