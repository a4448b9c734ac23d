// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface ToLongFunction<T> {
  long applyAsLong(T value);
}
