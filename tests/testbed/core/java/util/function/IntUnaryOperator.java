// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Maps values to values of the same type. */
@FunctionalInterface
public interface IntUnaryOperator {
  int applyAsInt(int value);

  default IntUnaryOperator andThen(IntUnaryOperator after) {
    return value -> after.applyAsInt(applyAsInt(value));
  }
}
