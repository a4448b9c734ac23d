// SPDX-License-Identifier: Apache-2.0
package sun.misc;

/** Atomic access to fields and array elements, and parking of threads; ART has the natives. */
public final class Unsafe {
  private static final Unsafe THE_ONE = new Unsafe();

  private Unsafe() {}

  public static Unsafe getUnsafe() {
    return THE_ONE;
  }

  public static long fieldOffset(Class<?> owner, String name) {
    try {
      return owner.getDeclaredField(name).getOffset();
    } catch (NoSuchFieldException exception) {
      throw new NoSuchFieldError(name);
    }
  }

  public native boolean compareAndSwapInt(Object object, long offset, int expected, int value);

  public native boolean compareAndSwapLong(Object object, long offset, long expected, long value);

  public native boolean compareAndSwapObject(Object object, long offset, Object expected, Object value);

  public native int getIntVolatile(Object object, long offset);

  public native void putIntVolatile(Object object, long offset, int value);

  public native long getLongVolatile(Object object, long offset);

  public native void putLongVolatile(Object object, long offset, long value);

  public native Object getObjectVolatile(Object object, long offset);

  public native void putObjectVolatile(Object object, long offset, Object value);

  public static native int getArrayBaseOffsetForComponentType(Class<?> componentType);

  public static native int getArrayIndexScaleForComponentType(Class<?> componentType);

  public native void park(boolean absolute, long time);

  public native void unpark(Object thread);

  public int getAndAddInt(Object object, long offset, int delta) {
    int value;
    do {
      value = getIntVolatile(object, offset);
    } while (!compareAndSwapInt(object, offset, value, value + delta));
    return value;
  }

  public long getAndAddLong(Object object, long offset, long delta) {
    long value;
    do {
      value = getLongVolatile(object, offset);
    } while (!compareAndSwapLong(object, offset, value, value + delta));
    return value;
  }

  public int getAndSetInt(Object object, long offset, int newValue) {
    int value;
    do {
      value = getIntVolatile(object, offset);
    } while (!compareAndSwapInt(object, offset, value, newValue));
    return value;
  }

  public long getAndSetLong(Object object, long offset, long newValue) {
    long value;
    do {
      value = getLongVolatile(object, offset);
    } while (!compareAndSwapLong(object, offset, value, newValue));
    return value;
  }

  public Object getAndSetObject(Object object, long offset, Object newValue) {
    Object value;
    do {
      value = getObjectVolatile(object, offset);
    } while (!compareAndSwapObject(object, offset, value, newValue));
    return value;
  }
}
