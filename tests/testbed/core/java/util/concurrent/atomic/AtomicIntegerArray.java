// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

import sun.misc.Unsafe;

/** An array of atomic ints. */
public class AtomicIntegerArray {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long BASE = Unsafe.getArrayBaseOffsetForComponentType(int.class);

  private final int[] array;

  public AtomicIntegerArray(int length) {
    array = new int[length];
  }

  private long offset(int index) {
    if (index < 0 || index >= array.length) {
      throw new IndexOutOfBoundsException("index " + index);
    }
    return BASE + (long) index * Integer.BYTES;
  }

  public final int length() {
    return array.length;
  }

  public final int get(int index) {
    return UNSAFE.getIntVolatile(array, offset(index));
  }

  public final void set(int index, int value) {
    UNSAFE.putIntVolatile(array, offset(index), value);
  }

  public final boolean compareAndSet(int index, int expected, int value) {
    return UNSAFE.compareAndSwapInt(array, offset(index), expected, value);
  }

  public final int getAndAdd(int index, int delta) {
    return UNSAFE.getAndAddInt(array, offset(index), delta);
  }

  public final int addAndGet(int index, int delta) {
    return getAndAdd(index, delta) + delta;
  }

  public final int getAndIncrement(int index) {
    return getAndAdd(index, 1);
  }

  public final int incrementAndGet(int index) {
    return addAndGet(index, 1);
  }
}
