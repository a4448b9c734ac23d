// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface BiPredicate<T, U> {
  boolean test(T first, U second);
}
