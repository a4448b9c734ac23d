// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed double. */
public final class Double extends Number implements Comparable<Double> {
  public static final double MAX_VALUE = 0x1.fffffffffffffP+1023;
  public static final double MIN_NORMAL = 0x1.0p-1022;
  public static final double MIN_VALUE = 0x0.0000000000001P-1022;
  public static final double POSITIVE_INFINITY = 1.0 / 0.0;
  public static final double NEGATIVE_INFINITY = -1.0 / 0.0;
  public static final double NaN = 0.0d / 0.0;
  public static final int SIZE = 64;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Double> TYPE = (Class<Double>) Class.getPrimitiveClass("double");

  private final double value;

  public Double(double value) {
    this.value = value;
  }

  public static Double valueOf(double number) {
    return new Double(number);
  }

  @Override
  public byte byteValue() {
    return (byte) value;
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
    return value;
  }

  @Override
  public int hashCode() {
    return hashCode(value);
  }

  public static int hashCode(double number) {
    return Long.hashCode(doubleToLongBits(number));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Double && doubleToLongBits(((Double) other).value) == doubleToLongBits(value);
  }

  @Override
  public int compareTo(Double other) {
    return compare(value, other.value);
  }

  public static int compare(double left, double right) {
    if (left < right) {
      return -1;
    }
    if (left > right) {
      return 1;
    }
    long leftBits = doubleToLongBits(left);
    long rightBits = doubleToLongBits(right);
    return leftBits < rightBits ? -1 : leftBits == rightBits ? 0 : 1;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(double number) {
    return libcore.util.FloatText.toString(number);
  }

  public static Double valueOf(String text) {
    return valueOf(parseDouble(text));
  }

  public static double parseDouble(String text) {
    return (double) libcore.util.FloatText.parse(text, false);
  }

  public boolean isNaN() {
    return isNaN(value);
  }

  public boolean isInfinite() {
    return isInfinite(value);
  }

  public static boolean isNaN(double number) {
    return number != number;
  }

  public static boolean isInfinite(double number) {
    return number == POSITIVE_INFINITY || number == NEGATIVE_INFINITY;
  }

  public static boolean isFinite(double number) {
    return Math.abs(number) <= MAX_VALUE;
  }

  public static long doubleToLongBits(double number) {
    return number != number ? doubleToRawLongBits(NaN) : doubleToRawLongBits(number);
  }

  @dalvik.annotation.optimization.CriticalNative
  public static native long doubleToRawLongBits(double number);

  @dalvik.annotation.optimization.CriticalNative
  public static native double longBitsToDouble(long bits);

  public static double sum(double left, double right) {
    return left + right;
  }

  public static double max(double left, double right) {
    return Math.max(left, right);
  }

  public static double min(double left, double right) {
    return Math.min(left, right);
  }
}
