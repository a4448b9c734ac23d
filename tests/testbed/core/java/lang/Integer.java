// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed int. */
public final class Integer extends Number implements Comparable<Integer> {
  public static final int MIN_VALUE = 0x80000000;
  public static final int MAX_VALUE = 0x7fffffff;
  public static final int SIZE = 32;
  public static final int BYTES = SIZE / 8;

  @SuppressWarnings("unchecked")
  public static final Class<Integer> TYPE = (Class<Integer>) Class.getPrimitiveClass("int");

  /** Boxes from -128 to 127 are shared, as the language demands. */
  private static final class Cache {
    static final Integer[] SMALL = new Integer[256];

    static {
      for (int i = 0; i < SMALL.length; i++) {
        SMALL[i] = new Integer((int) (i - 128));
      }
    }
  }

  private final int value;

  public Integer(int value) {
    this.value = value;
  }

  public static Integer valueOf(int number) {
    if (number >= -128 && number <= 127) {
      return Cache.SMALL[(int) number + 128];
    }
    return new Integer(number);
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
    return value;
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

  public static int hashCode(int number) {
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Integer && ((Integer) other).value == value;
  }

  @Override
  public int compareTo(Integer other) {
    return compare(value, other.value);
  }

  public static int compare(int left, int right) {
    return left < right ? -1 : left == right ? 0 : 1;
  }

  @Override
  public String toString() {
    return toString(value);
  }

  public static String toString(int number) {
    return toString(number, 10);
  }

  public static String toString(int number, int radix) {
    char[] digits = new char[SIZE + 1];
    int start = digits.length;
    int left = number;
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

  public static String toHexString(int number) {
    return unsigned(number, 4);
  }

  public static String toOctalString(int number) {
    return unsigned(number, 3);
  }

  public static String toBinaryString(int number) {
    return unsigned(number, 1);
  }

  private static String unsigned(int number, int bitsPerDigit) {
    char[] digits = new char[SIZE];
    int start = digits.length;
    int left = number;
    do {
      digits[--start] = Character.forDigit((int) left & (1 << bitsPerDigit) - 1, 1 << bitsPerDigit);
      left >>>= bitsPerDigit;
    } while (left != 0);
    return new String(digits, start, digits.length - start);
  }

  public static Integer valueOf(String text) {
    return valueOf(parseInt(text, 10));
  }

  public static Integer valueOf(String text, int radix) {
    return valueOf(parseInt(text, radix));
  }

  public static int parseInt(String text) {
    return parseInt(text, 10);
  }

  /** Counts downwards, so that the smallest number fits too. */
  public static int parseInt(String text, int radix) {
    if (text == null) {
      throw new NumberFormatException("s == null");
    }
    boolean negative = text.startsWith("-");
    int start = negative || text.startsWith("+") ? 1 : 0;
    int lowest = negative ? MIN_VALUE : -MAX_VALUE;
    int number = 0;
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

  public static Integer decode(String text) {
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

  public static int bitCount(int number) {
    int left = number;
    int bits = 0;
    while (left != 0) {
      left &= left - 1;
      bits++;
    }
    return bits;
  }

  public static int highestOneBit(int number) {
    return number == 0 ? 0 : 1 << (SIZE - 1 - numberOfLeadingZeros(number));
  }

  public static int lowestOneBit(int number) {
    return number & -number;
  }

  public static int numberOfLeadingZeros(int number) {
    int zeros = SIZE;
    int left = number;
    while (left != 0) {
      left >>>= 1;
      zeros--;
    }
    return zeros;
  }

  public static int numberOfTrailingZeros(int number) {
    return number == 0 ? SIZE : bitCount(lowestOneBit(number) - 1);
  }

  public static int reverse(int number) {
    int left = number;
    int result = 0;
    for (int i = 0; i < SIZE; i++) {
      result = result << 1 | left & 1;
      left >>>= 1;
    }
    return result;
  }

  public static int reverseBytes(int number) {
    int left = number;
    int result = 0;
    for (int i = 0; i < BYTES; i++) {
      result = result << 8 | left & 0xff;
      left >>>= 8;
    }
    return result;
  }

  public static int rotateLeft(int number, int distance) {
    return number << distance | number >>> -distance;
  }

  public static int rotateRight(int number, int distance) {
    return number >>> distance | number << -distance;
  }

  public static int signum(int number) {
    return number > 0 ? 1 : number < 0 ? -1 : 0;
  }

  public static int sum(int left, int right) {
    return left + right;
  }

  public static int max(int left, int right) {
    return Math.max(left, right);
  }

  public static int min(int left, int right) {
    return Math.min(left, right);
  }

  public static long toUnsignedLong(int number) {
    return number & 0xffffffffL;
  }

  public static int compareUnsigned(int left, int right) {
    return compare(left + MIN_VALUE, right + MIN_VALUE);
  }

  public static int divideUnsigned(int dividend, int divisor) {
    return (int) (toUnsignedLong(dividend) / toUnsignedLong(divisor));
  }

  public static int remainderUnsigned(int dividend, int divisor) {
    return (int) (toUnsignedLong(dividend) % toUnsignedLong(divisor));
  }

  public static String toUnsignedString(int number) {
    return Long.toString(toUnsignedLong(number));
  }

  public static Integer getInteger(String property, int otherwise) {
    String value = System.getProperty(property);
    return value == null ? otherwise : decode(value);
  }
}
