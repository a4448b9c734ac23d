// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface DoublePredicate {
  boolean test(double value);
}
