// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed short. */
public final class Short extends Number implements Comparable<Short> {
  public static final short MIN_VALUE = -32768;
  public static final short MAX_VALUE = 32767;
  public static final int SIZE = 16;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Short> TYPE = (Class<Short>) Class.getPrimitiveClass("short");

  /** Boxes from -128 to 127 are shared, as the language demands. */
  private static final class Cache {
    static final Short[] SMALL = new Short[256];

    static {
      for (int i = 0; i < SMALL.length; i++) {
        SMALL[i] = new Short((short) (i - 128));
      }
    }
  }

  private final short value;

  public Short(short value) {
    this.value = value;
  }

  public static Short valueOf(short number) {
    if (number >= -128 && number <= 127) {
      return Cache.SMALL[(int) number + 128];
    }
    return new Short(number);
  }

  @Override
  public byte byteValue() {
    return (byte) value;
  }

  @Override
  public short shortValue() {
    return value;
  }

  @Override
  public int intValue() {
    return (int) value;
  }

  @Override
  public long longValue() {
    return (long) value;
  }

  @Override
  public float floatValue() {
    return (float) value;
  }

  @Override
  public double doubleValue() {
    return (double) value;
  }

  @Override
  public int hashCode() {
    return hashCode(value);
  }

  public static int hashCode(short number) {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Short && ((Short) other).value == value;
  }

  @Override
  public int compareTo(Short other) {
    return compare(value, other.value);
  }

  public static int compare(short left, short right) {
    return left - right;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(short number) {
    return Integer.toString(number);
  }

  public static Short valueOf(String text) {
    return valueOf(parseShort(text));
  }

  public static short parseShort(String text) {
    return parseShort(text, 10);
  }

  public static short parseShort(String text, int radix) {
    int number = Integer.parseInt(text, radix);
    if (number < MIN_VALUE || number > MAX_VALUE) {
      throw new NumberFormatException("Value out of range: " + text);
    }
    return (short) number;
  }

  public static int toUnsignedInt(short number) {
    return number & 0xffff;
  }

  public static short reverseBytes(short number) {
    return (short) (number << 8 | number >> 8 & 0xff);
  }
}
