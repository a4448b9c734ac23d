// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import sun.misc.Unsafe;

/** An atomic reference. */
public class AtomicReference<V> {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long VALUE = Unsafe.fieldOffset(AtomicReference.class, "value");

  private volatile V value;

  public AtomicReference() {}

  public AtomicReference(V value) {
    this.value = value;
  }

  public final V get() {
    return value;
  }

  public final void set(V newValue) {
    value = newValue;
  }

  @SuppressWarnings("unchecked")
  public final V getAndSet(V newValue) {
    return (V) UNSAFE.getAndSetObject(this, VALUE, newValue);
  }

  public final boolean compareAndSet(V expected, V newValue) {
    return UNSAFE.compareAndSwapObject(this, VALUE, expected, newValue);
  }

  public final V getAndUpdate(UnaryOperator<V> function) {
    V previous;
    do {
      previous = value;
    } while (!compareAndSet(previous, function.apply(previous)));
    return previous;
  }

  public final V updateAndGet(UnaryOperator<V> function) {
    V previous;
    V next;
    do {
      previous = value;
      next = function.apply(previous);
    } while (!compareAndSet(previous, next));
    return next;
  }

  public final V accumulateAndGet(V operand, BinaryOperator<V> function) {
    return updateAndGet(previous -> function.apply(previous, operand));
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
