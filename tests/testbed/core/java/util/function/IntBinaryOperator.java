// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to values of the same type. */
@FunctionalInterface
public interface IntBinaryOperator {
  int applyAsInt(int left, int right);
}
