// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed float. */
public final class Float extends Number implements Comparable<Float> {
  public static final float MAX_VALUE = 0x1.fffffeP+127f;
  public static final float MIN_NORMAL = 0x1.0p-126f;
  public static final float MIN_VALUE = 0x0.000002P-126f;
  public static final float POSITIVE_INFINITY = 1.0f / 0.0f;
  public static final float NEGATIVE_INFINITY = -1.0f / 0.0f;
  public static final float NaN = 0.0f / 0.0f;
  public static final int SIZE = 32;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Float> TYPE = (Class<Float>) Class.getPrimitiveClass("float");

  private final float value;

  public Float(float value) {
    this.value = value;
  }

  public static Float valueOf(float number) {
    return new Float(number);
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
    return value;
  }

  @Override
  public double doubleValue() {
    return (double) value;
  }

  @Override
  public int hashCode() {
    return hashCode(value);
  }

  public static int hashCode(float number) {
    return floatToIntBits(number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Float && floatToIntBits(((Float) other).value) == floatToIntBits(value);
  }

  @Override
  public int compareTo(Float other) {
    return compare(value, other.value);
  }

  public static int compare(float left, float right) {
    if (left < right) {
      return -1;
    }
    if (left > right) {
      return 1;
    }
    int leftBits = floatToIntBits(left);
    int rightBits = floatToIntBits(right);
    return leftBits < rightBits ? -1 : leftBits == rightBits ? 0 : 1;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(float number) {
    return libcore.util.FloatText.toString(number);
  }

  public static Float valueOf(String text) {
    return valueOf(parseFloat(text));
  }

  public static float parseFloat(String text) {
    return (float) libcore.util.FloatText.parse(text, true);
  }

  public boolean isNaN() {
    return isNaN(value);
  }

  public boolean isInfinite() {
    return isInfinite(value);
  }

  public static boolean isNaN(float number) {
    return number != number;
  }

  public static boolean isInfinite(float number) {
    return number == POSITIVE_INFINITY || number == NEGATIVE_INFINITY;
  }

  public static boolean isFinite(float number) {
    return Math.abs(number) <= MAX_VALUE;
  }

  public static int floatToIntBits(float number) {
    return number != number ? floatToRawIntBits(NaN) : floatToRawIntBits(number);
  }

  @dalvik.annotation.optimization.CriticalNative
  public static native int floatToRawIntBits(float number);

  @dalvik.annotation.optimization.CriticalNative
  public static native float intBitsToFloat(int bits);

  public static float sum(float left, float right) {
    return left + right;
  }

  public static float max(float left, float right) {
    return Math.max(left, right);
  }

  public static float min(float left, float right) {
    return Math.min(left, right);
  }
}
