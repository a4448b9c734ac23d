// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed byte. */
public final class Byte extends Number implements Comparable<Byte> {
  public static final byte MIN_VALUE = -128;
  public static final byte MAX_VALUE = 127;
  public static final int SIZE = 8;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Byte> TYPE = (Class<Byte>) Class.getPrimitiveClass("byte");

  /** Boxes from -128 to 127 are shared, as the language demands. */
  private static final class Cache {
    static final Byte[] SMALL = new Byte[256];

    static {
      for (int i = 0; i < SMALL.length; i++) {
        SMALL[i] = new Byte((byte) (i - 128));
      }
    }
  }

  private final byte value;

  public Byte(byte value) {
    this.value = value;
  }

  public static Byte valueOf(byte number) {
    if (number >= -128 && number <= 127) {
      return Cache.SMALL[(int) number + 128];
    }
    return new Byte(number);
  }

  @Override
  public byte byteValue() {
    return value;
  }

  @Override
  public short shortValue() {
    return (short) value;
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

  public static int hashCode(byte number) {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Byte && ((Byte) other).value == value;
  }

  @Override
  public int compareTo(Byte other) {
    return compare(value, other.value);
  }

  public static int compare(byte left, byte right) {
    return left - right;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(byte number) {
    return Integer.toString(number);
  }

  public static Byte valueOf(String text) {
    return valueOf(parseByte(text));
  }

  public static byte parseByte(String text) {
    return parseByte(text, 10);
  }

  public static byte parseByte(String text, int radix) {
    int number = Integer.parseInt(text, radix);
    if (number < MIN_VALUE || number > MAX_VALUE) {
      throw new NumberFormatException("Value out of range: " + text);
    }
    return (byte) number;
  }

  public static int toUnsignedInt(byte number) {
    return number & 0xff;
  }
}
