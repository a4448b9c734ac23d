// SPDX-License-Identifier: Apache-2.0
package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface ObjDoubleConsumer<T> {
  void accept(T object, double value);
}
