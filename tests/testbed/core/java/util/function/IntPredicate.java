// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface IntPredicate {
  boolean test(int value);

  default IntPredicate negate() {
    return value -> !test(value);
  }
}
