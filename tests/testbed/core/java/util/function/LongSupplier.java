// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface LongSupplier {
  long getAsLong();
}
