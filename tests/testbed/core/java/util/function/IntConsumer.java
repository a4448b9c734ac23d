// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface IntConsumer {
  void accept(int value);
}
