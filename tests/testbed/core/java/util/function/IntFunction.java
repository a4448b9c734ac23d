// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface IntFunction<R> {
  R apply(int value);
}
