// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface ToLongBiFunction<T, U> {
  long applyAsLong(T first, U second);
}
