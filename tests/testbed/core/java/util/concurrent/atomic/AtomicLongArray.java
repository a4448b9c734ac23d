// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

import sun.misc.Unsafe;

/** An array of atomic longs. */
public class AtomicLongArray {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long BASE = Unsafe.getArrayBaseOffsetForComponentType(long.class);

  private final long[] array;

  public AtomicLongArray(int length) {
    array = new long[length];
  }

  private long offset(int index) {
    if (index < 0 || index >= array.length) {
      throw new IndexOutOfBoundsException("index " + index);
    }
    return BASE + (long) index * Long.BYTES;
  }

  public final int length() {
    return array.length;
  }

  public final long get(int index) {
    return UNSAFE.getLongVolatile(array, offset(index));
  }

  public final void set(int index, long value) {
    UNSAFE.putLongVolatile(array, offset(index), value);
  }

  public final boolean compareAndSet(int index, long expected, long value) {
    return UNSAFE.compareAndSwapLong(array, offset(index), expected, value);
  }

  public final long getAndAdd(int index, long delta) {
    return UNSAFE.getAndAddLong(array, offset(index), delta);
  }

  public final long addAndGet(int index, long delta) {
    return getAndAdd(index, delta) + delta;
  }

  public final long getAndIncrement(int index) {
    return getAndAdd(index, 1);
  }

  public final long incrementAndGet(int index) {
    return addAndGet(index, 1);
  }
}
