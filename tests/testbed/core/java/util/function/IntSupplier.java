// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface IntSupplier {
  int getAsInt();
}
