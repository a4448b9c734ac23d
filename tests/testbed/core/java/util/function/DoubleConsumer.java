// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface DoubleConsumer {
  void accept(double value);
}
