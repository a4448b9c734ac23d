// SPDX-License-Identifier: Apache-2.0
package libcore.util;

/** The decimal text of floating-point numbers: the shortest that reads back as the same number. */
public final class FloatText {
  public static String toString(double number) {
    return toString(number, shortestDigits(number));
  }

  public static String toString(float number) {
    return toString(number, shortestFloatDigits(number));
  }

  /** {@code scientific} is like 1.25e-07, without a sign. */
  private static String toString(double number, String scientific) {
    if (number != number) {
      return "NaN";
    }
    String sign = number < 0 || 1 / number < 0 ? "-" : "";
    if (number == Double.POSITIVE_INFINITY || number == Double.NEGATIVE_INFINITY) {
      return sign + "Infinity";
    }
    if (number == 0) {
      return sign + "0.0";
    }
    Decimal decimal = Decimal.parse(scientific);
    int exponent = decimal.exponent();
    if (exponent < -3 || exponent >= 7) {
      String digits = decimal.digits();
      String fraction = digits.length() > 1 ? digits.substring(1) : "0";
      return sign + digits.charAt(0) + "." + fraction + "E" + exponent;
    }
    return sign + decimal.plain(Math.max(1, decimal.digits().length() - 1 - exponent));
  }

  /** The magnitude's exact shortest decimal, for rounding. */
  public static Decimal decimalOf(double number) {
    return Decimal.parse(shortestDigits(number));
  }

  public static double parse(String text, boolean isFloat) {
    String trimmed = text.trim();
    double[] result = new double[1];
    if (trimmed.isEmpty() || !parseNative(trimmed, isFloat, result)) {
      throw new NumberFormatException(
          trimmed.isEmpty() ? "empty String" : "For input string: \"" + text + "\"");
    }
    return result[0];
  }

  /** Scientific notation of the magnitude with as few digits as tell the number from its neighbours. */
  private static native String shortestDigits(double number);

  private static native String shortestFloatDigits(float number);

  private static native boolean parseNative(String text, boolean isFloat, double[] result);

  private FloatText() {}
}
