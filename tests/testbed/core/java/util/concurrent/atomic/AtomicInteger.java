// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import sun.misc.Unsafe;

/** An atomic int. */
public class AtomicInteger extends Number {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long VALUE = Unsafe.fieldOffset(AtomicInteger.class, "value");

  private volatile int value;

  public AtomicInteger() {}

  public AtomicInteger(int value) {
    this.value = value;
  }

  public final int get() {
    return value;
  }

  public final void set(int newValue) {
    value = newValue;
  }

  public final void lazySet(int newValue) {
    value = newValue;
  }

  public final int getAndSet(int newValue) {
    return UNSAFE.getAndSetInt(this, VALUE, newValue);
  }

  public final boolean compareAndSet(int expected, int newValue) {
    return UNSAFE.compareAndSwapInt(this, VALUE, expected, newValue);
  }

  public final boolean weakCompareAndSet(int expected, int newValue) {
    return compareAndSet(expected, newValue);
  }

  public final int getAndAdd(int delta) {
    return UNSAFE.getAndAddInt(this, VALUE, delta);
  }

  public final int addAndGet(int delta) {
    return getAndAdd(delta) + delta;
  }

  public final int getAndIncrement() {
    return getAndAdd(1);
  }

  public final int getAndDecrement() {
    return getAndAdd(-1);
  }

  public final int incrementAndGet() {
    return addAndGet(1);
  }

  public final int decrementAndGet() {
    return addAndGet(-1);
  }

  public final int getAndUpdate(IntUnaryOperator function) {
    int previous;
    do {
      previous = value;
    } while (!compareAndSet(previous, function.applyAsInt(previous)));
    return previous;
  }

  public final int updateAndGet(IntUnaryOperator function) {
    int previous;
    int next;
    do {
      previous = value;
      next = function.applyAsInt(previous);
    } while (!compareAndSet(previous, next));
    return next;
  }

  public final int accumulateAndGet(int operand, IntBinaryOperator function) {
    return updateAndGet(previous -> function.applyAsInt(previous, operand));
  }

  @Override
  public int intValue() {
    return value;
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
