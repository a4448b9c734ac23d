// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed long. */
public final class Long extends Number implements Comparable<Long> {
  public static final long MIN_VALUE = 0x8000000000000000L;
  public static final long MAX_VALUE = 0x7fffffffffffffffL;
  public static final int SIZE = 64;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Long> TYPE = (Class<Long>) Class.getPrimitiveClass("long");

  /** Boxes from -128 to 127 are shared, as the language demands. */
  private static final class Cache {
    static final Long[] SMALL = new Long[256];

    static {
      for (int i = 0; i < SMALL.length; i++) {
        SMALL[i] = new Long((long) (i - 128));
      }
    }
  }

  private final long value;

  public Long(long value) {
    this.value = value;
  }

  public static Long valueOf(long number) {
    if (number >= -128 && number <= 127) {
      return Cache.SMALL[(int) number + 128];
    }
    return new Long(number);
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
    return value;
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

  public static int hashCode(long number) {
    return (int) (number ^ number >>> 32);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Long && ((Long) other).value == value;
  }

  @Override
  public int compareTo(Long other) {
    return compare(value, other.value);
  }

  public static int compare(long left, long right) {
    return left < right ? -1 : left == right ? 0 : 1;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(long number) {
    return toString(number, 10);
  }

  public static String toString(long number, int radix) {
    char[] digits = new char[SIZE + 1];
    int start = digits.length;
    long left = number;
    do {
      int digit = (int) (left % radix);
      digits[--start] = Character.forDigit(digit < 0 ? -digit : digit, radix);
      left /= radix;
    } while (left != 0);
    if (number < 0) {
      digits[--start] = '-';
    }
    return new String(digits, start, digits.length - start);
  }

  public static String toHexString(long number) {
    return unsigned(number, 4);
  }

  public static String toOctalString(long number) {
    return unsigned(number, 3);
  }

  public static String toBinaryString(long number) {
    return unsigned(number, 1);
  }

  private static String unsigned(long number, int bitsPerDigit) {
    char[] digits = new char[SIZE];
    int start = digits.length;
    long left = number;
    do {
      digits[--start] = Character.forDigit((int) left & (1 << bitsPerDigit) - 1, 1 << bitsPerDigit);
      left >>>= bitsPerDigit;
    } while (left != 0);
    return new String(digits, start, digits.length - start);
  }

  public static Long valueOf(String text) {
    return valueOf(parseLong(text, 10));
  }

  public static Long valueOf(String text, int radix) {
    return valueOf(parseLong(text, radix));
  }

  public static long parseLong(String text) {
    return parseLong(text, 10);
  }

  /** Counts downwards, so that the smallest number fits too. */
  public static long parseLong(String text, int radix) {
    if (text == null) {
      throw new NumberFormatException("s == null");
    }
    boolean negative = text.startsWith("-");
    int start = negative || text.startsWith("+") ? 1 : 0;
    long lowest = negative ? MIN_VALUE : -MAX_VALUE;
    long number = 0;
    boolean valid = start < text.length();
    for (int i = start; valid && i < text.length(); i++) {
      int digit = Character.digit(text.charAt(i), radix);
      valid = digit >= 0 && number >= lowest / radix && number * radix >= lowest + digit;
      number = number * radix - digit;
    }
    if (!valid) {
      throw new NumberFormatException("For input string: \"" + text + "\"");
    }
    return negative ? number : -number;
  }

  public static Long decode(String text) {
    boolean negative = text.startsWith("-");
    String digits = negative || text.startsWith("+") ? text.substring(1) : text;
    String sign = negative ? "-" : "";
    if (digits.startsWith("0x") || digits.startsWith("0X")) {
      return valueOf(sign + digits.substring(2), 16);
    } else if (digits.startsWith("#")) {
      return valueOf(sign + digits.substring(1), 16);
    } else if (digits.startsWith("0") && digits.length() > 1) {
      return valueOf(sign + digits.substring(1), 8);
    }
    return valueOf(sign + digits, 10);
  }

  public static int bitCount(long number) {
    long left = number;
    int bits = 0;
    while (left != 0) {
      left &= left - 1;
      bits++;
    }
    return bits;
  }

  public static long highestOneBit(long number) {
    return number == 0 ? 0 : 1L << (SIZE - 1 - numberOfLeadingZeros(number));
  }

  public static long lowestOneBit(long number) {
    return number & -number;
  }

  public static int numberOfLeadingZeros(long number) {
    int zeros = SIZE;
    long left = number;
    while (left != 0) {
      left >>>= 1;
      zeros--;
    }
    return zeros;
  }

  public static int numberOfTrailingZeros(long number) {
    return number == 0 ? SIZE : bitCount(lowestOneBit(number) - 1);
  }

  public static long reverse(long number) {
    long left = number;
    long result = 0;
    for (int i = 0; i < SIZE; i++) {
      result = result << 1 | left & 1;
      left >>>= 1;
    }
    return result;
  }

  public static long reverseBytes(long number) {
    long left = number;
    long result = 0;
    for (int i = 0; i < BYTES; i++) {
      result = result << 8 | left & 0xff;
      left >>>= 8;
    }
    return result;
  }

  public static long rotateLeft(long number, int distance) {
    return number << distance | number >>> -distance;
  }

  public static long rotateRight(long number, int distance) {
    return number >>> distance | number << -distance;
  }

  public static int signum(long number) {
    return number > 0 ? 1 : number < 0 ? -1 : 0;
  }

  public static long sum(long left, long right) {
    return left + right;
  }

  public static long max(long left, long right) {
    return Math.max(left, right);
  }

  public static long min(long left, long right) {
    return Math.min(left, right);
  }

  public static int compareUnsigned(long left, long right) {
    return compare(left + MIN_VALUE, right + MIN_VALUE);
  }
}
