// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface LongPredicate {
  boolean test(long value);
}
