// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import sun.misc.Unsafe;

/** An atomic long. */
public class AtomicLong extends Number {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long VALUE = Unsafe.fieldOffset(AtomicLong.class, "value");

  private volatile long value;

  public AtomicLong() {}

  public AtomicLong(long value) {
    this.value = value;
  }

  public final long get() {
    return value;
  }

  public final void set(long newValue) {
    value = newValue;
  }

  public final void lazySet(long newValue) {
    value = newValue;
  }

  public final long getAndSet(long newValue) {
    return UNSAFE.getAndSetLong(this, VALUE, newValue);
  }

  public final boolean compareAndSet(long expected, long newValue) {
    return UNSAFE.compareAndSwapLong(this, VALUE, expected, newValue);
  }

  public final boolean weakCompareAndSet(long expected, long newValue) {
    return compareAndSet(expected, newValue);
  }

  public final long getAndAdd(long delta) {
    return UNSAFE.getAndAddLong(this, VALUE, delta);
  }

  public final long addAndGet(long delta) {
    return getAndAdd(delta) + delta;
  }

  public final long getAndIncrement() {
    return getAndAdd(1);
  }

  public final long getAndDecrement() {
    return getAndAdd(-1);
  }

  public final long incrementAndGet() {
    return addAndGet(1);
  }

  public final long decrementAndGet() {
    return addAndGet(-1);
  }

  public final long getAndUpdate(LongUnaryOperator function) {
    long previous;
    do {
      previous = value;
    } while (!compareAndSet(previous, function.applyAsLong(previous)));
    return previous;
  }

  public final long updateAndGet(LongUnaryOperator function) {
    long previous;
    long next;
    do {
      previous = value;
      next = function.applyAsLong(previous);
    } while (!compareAndSet(previous, next));
    return next;
  }

  public final long accumulateAndGet(long operand, LongBinaryOperator function) {
    return updateAndGet(previous -> function.applyAsLong(previous, operand));
  }

  @Override
  public int intValue() {
    return (int) value;
  }

  @Override
  public long longValue() {
    return value;
  }

  @Override
  public float floatValue() {
    return value;
  }

  @Override
  public double doubleValue() {
    return value;
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
