// SPDX-License-Identifier: Apache-2.0
package java.util;

import libcore.util.Decimal;
import libcore.util.FloatText;

/** Formats values: %b %h %s %c %d %o %x %e %f %g %% %n with flags, width, precision and argument index. */
public final class Formatter {
  private final StringBuilder text = new StringBuilder();

  public Formatter format(String format, Object... arguments) {
    int next = 0;
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i++);
      if (c != '%') {
        text.append(c);
        continue;
      }
      Specifier specifier = new Specifier(format, i);
      i = specifier.end;
      if (specifier.conversion == 'n') {
        text.append('\n');
      } else if (specifier.conversion == '%') {
        text.append(specifier.pad("%"));
      } else {
        int index = specifier.argument > 0 ? specifier.argument - 1 : next++;
        if (index >= arguments.length) {
          throw new IllegalFormatException("Format specifier '%" + specifier.conversion + "' has no argument");
        }
        text.append(specifier.format(arguments[index]));
      }
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** One %[index$][flags][width][.precision]conversion. */
  private static final class Specifier {
    private static final String FLAGS = "-#+ 0,(";

    final int argument;
    final char conversion;

    /** Position after the specifier in the format string. */
    final int end;

    private final String flags;
    private final int width;
    private final int precision;
    private final boolean upperCase;

    Specifier(String format, int start) {
      int i = start;
      int digitsEnd = skipDigits(format, i);
      if (digitsEnd > i && digitsEnd < format.length() && format.charAt(digitsEnd) == '$') {
        argument = Integer.parseInt(format.substring(i, digitsEnd));
        i = digitsEnd + 1;
      } else {
        argument = 0;
      }
      int flagsStart = i;
      while (i < format.length() && FLAGS.indexOf(format.charAt(i)) >= 0) {
        i++;
      }
      flags = format.substring(flagsStart, i);
      digitsEnd = skipDigits(format, i);
      width = digitsEnd > i ? Integer.parseInt(format.substring(i, digitsEnd)) : 0;
      i = digitsEnd;
      if (i < format.length() && format.charAt(i) == '.') {
        digitsEnd = skipDigits(format, i + 1);
        precision = Integer.parseInt(format.substring(i + 1, digitsEnd));
        i = digitsEnd;
      } else {
        precision = -1;
      }
      if (i >= format.length()) {
        throw new IllegalFormatException("Conversion is missing at the end of: " + format);
      }
      char letter = format.charAt(i);
      upperCase = Character.isUpperCase(letter);
      conversion = Character.toLowerCase(letter);
      end = i + 1;
    }

    private static int skipDigits(String format, int start) {
      int i = start;
      while (i < format.length() && Character.isDigit(format.charAt(i)) && (i > start || format.charAt(i) != '0')) {
        i++;
      }
      if (i == start && i < format.length() && format.charAt(i) == '0' && start > 0 && format.charAt(start - 1) == '.') {
        i++;
      }
      return i;
    }

    private boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }

    String format(Object value) {
      String body = convert(value);
      return pad(upperCase ? body.toUpperCase() : body);
    }

    String pad(String body) {
      if (body.length() >= width) {
        return body;
      }
      String blanks = " ".repeat(width - body.length());
      return has('-') ? body + blanks : blanks + body;
    }

    private String convert(Object value) {
      switch (conversion) {
        case 'b':
          return cut(value instanceof Boolean ? value.toString() : String.valueOf(value != null));
        case 's':
          return cut(String.valueOf(value));
        case 'h':
          return value == null ? "null" : Integer.toHexString(value.hashCode());
        default:
          return value == null ? "null" : convertNonNull(value);
      }
    }

    private String convertNonNull(Object value) {
      switch (conversion) {
        case 'c':
          if (value instanceof Character) {
            return value.toString();
          }
          return new String(Character.toChars(((Number) checked(value, isInteger(value))).intValue()));
        case 'd':
          return decimal(((Number) checked(value, isInteger(value))).longValue());
        case 'x':
        case 'o':
          return unsigned((Number) checked(value, isInteger(value)));
        case 'f':
        case 'e':
        case 'g':
          return floating(((Number) checked(value, isFloating(value))), conversion);
        default:
          throw new IllegalFormatException("Conversion = '" + conversion + "'");
      }
    }

    private static boolean isInteger(Object value) {
      return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    private static boolean isFloating(Object value) {
      return value instanceof Double || value instanceof Float;
    }

    private Object checked(Object value, boolean fits) {
      if (!fits) {
        throw new IllegalFormatException(conversion + " != " + value.getClass().getName());
      }
      return value;
    }

    private String cut(String body) {
      return precision >= 0 && precision < body.length() ? body.substring(0, precision) : body;
    }

    private String decimal(long number) {
      String digits = Long.toString(number);
      return signed(number < 0, number < 0 ? digits.substring(1) : digits);
    }

    private String unsigned(Number number) {
      boolean isHex = conversion == 'x';
      String digits;
      if (number instanceof Long) {
        digits = isHex ? Long.toHexString(number.longValue()) : Long.toOctalString(number.longValue());
      } else {
        int mask = number instanceof Byte ? 0xff : number instanceof Short ? 0xffff : -1;
        int bits = number.intValue() & mask;
        digits = isHex ? Integer.toHexString(bits) : Integer.toOctalString(bits);
      }
      String prefix = has('#') ? isHex ? "0x" : "0" : "";
      return prefix + zeros(prefix.length() + digits.length()) + digits;
    }

    private String zeros(int length) {
      return has('0') && length < width ? "0".repeat(width - length) : "";
    }

    private String signed(boolean negative, String magnitude) {
      String digits = has(',') ? grouped(magnitude) : magnitude;
      String sign = negative ? has('(') ? "(" : "-" : has('+') ? "+" : has(' ') ? " " : "";
      String close = negative && has('(') ? ")" : "";
      return sign + zeros(sign.length() + digits.length() + close.length()) + digits + close;
    }

    private static String grouped(String magnitude) {
      int point = magnitude.indexOf('.');
      StringBuilder result = new StringBuilder(magnitude);
      for (int i = (point < 0 ? magnitude.length() : point) - 3; i > 0; i -= 3) {
        result.insert(i, ',');
      }
      return result.toString();
    }

    private String floating(Number boxed, char style) {
      double number = boxed.doubleValue();
      if (Double.isNaN(number)) {
        return "NaN";
      }
      boolean negative = number < 0 || 1 / number < 0;
      if (Double.isInfinite(number)) {
        return negative ? has('(') ? "(Infinity)" : "-Infinity" : has('+') ? "+Infinity" : "Infinity";
      }
      double exact = boxed instanceof Float ? Double.parseDouble(boxed.toString()) : number;
      Decimal decimal = FloatText.decimalOf(Math.abs(exact));
      int places = precision < 0 ? 6 : precision;
      if (style == 'f') {
        return signed(negative, decimal.plain(places));
      } else if (style == 'e') {
        return signed(negative, decimal.scientific(places));
      }
      int digits = places == 0 ? 1 : places;
      String scientific = decimal.scientific(digits - 1);
      int exponent = Integer.parseInt(scientific.substring(scientific.indexOf('e') + 1));
      boolean plain = number == 0 || exponent >= -4 && exponent < digits;
      return signed(negative, plain ? decimal.plain(digits - 1 - (number == 0 ? 0 : exponent)) : scientific);
    }
  }
}
