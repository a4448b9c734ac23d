// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.Locale;

/** String.format, and numbers to and from text. */
public class Formats {
  static void line(String format, Object... arguments) {
    String result;
    try {
      result = String.format(Locale.ROOT, format, arguments);
    } catch (RuntimeException exception) {
      result = exception instanceof IllegalArgumentException ? "illegal" : exception.toString();
    }
    System.out.println(format + " -> " + result);
  }

  public static void main(String[] args) {
    line("%d|%5d|%-5d|%05d|%+d|%,d|%(d|% d", 42, 42, 42, 42, 42, 1234567, -42, 42);
    line("%d %d %d %d", (byte) 1, (short) 2, 3L, Long.MIN_VALUE);
    line("%x %X %08x %#x %o %x %x", 255, 255, 255, 255, 8, -1, (byte) -1);
    line("%x %x", -1L, 0xdeadbeefL);
    line("%s|%10s|%-10s|%.2s|%S", "text", "right", "left", "cut", "upper");
    line("%s %s %s", null, true, new int[0].length);
    line("%b %B %b %b", true, false, null, "x");
    line("%c %C %c", 'a', 'b', 65);
    line("%.2f %f %10.3f %-10.1f| %010.2f %+.1f %,.2f", 3.14159, 2.5, 1.0005, 9.96, -3.14159, 1.25, 1234567.891);
    line("%.0f %.0f %.0f %.1f %.1f %.2f %.3f", 0.5, 1.5, 2.5, 0.25, 0.35, 1.005, 2.0005);
    line("%.1f %.5f %.2f %f", 1e10, 1e-7, 123456789012.345, 0.1f);
    line("%e %.3e %E %e", 12345.678, 0.00012345, 1e100, 0.0);
    line("%g %g %g %.3g", 12345.678, 0.00001234, 0.0, 99999.0);
    line("%f %f %f", Double.NaN, Double.POSITIVE_INFINITY, -0.0);
    line("%2$s %1$s %2$s%n%%|%5%|", "a", "b");
    line("%h", "hash");
    line("%d", "not a number");
    line("%s");
    line("%q", 1);
    line("trailing %");
    double[] numbers = {0, -0.0, 1, -1, 0.1, 1.0 / 3, 100, 1e6, 1e7, 12345678.9, 1e-3, 1e-4, 9.999e22, 4.9e-324, Double.MAX_VALUE, Double.MIN_NORMAL, 1234.125, Math.PI, 2e-3, 0.00123};
    for (double number : numbers) {
      System.out.print(number + " " + (float) number + " " + Double.parseDouble(Double.toString(number)) + "; ");
    }
    System.out.println();
    System.out.println(Integer.MAX_VALUE + " " + Integer.MIN_VALUE + " " + Long.MAX_VALUE + " " + Long.MIN_VALUE + " " + Float.MIN_VALUE + " " + Float.MAX_VALUE);
    System.out.println(Integer.toHexString(-5) + " " + Integer.toBinaryString(10) + " " + Integer.toOctalString(64) + " " + Long.toHexString(1L << 40) + " " + Integer.toString(-255, 16) + " " + Long.toString(Long.MIN_VALUE, 36));
    String[] texts = {"12", "-7", "+3", "2147483647", "2147483648", "-2147483648", "", "-", "1x", " 1", "0x10", null};
    for (String text : texts) {
      String result;
      try {
        result = String.valueOf(Integer.parseInt(text));
      } catch (NumberFormatException exception) {
        result = "bad";
      }
      System.out.print(result + " ");
    }
    System.out.println(Integer.parseInt("-7f", 16) + " " + Long.parseLong("-9223372036854775808") + " " + Integer.decode("0x1F") + " " + Integer.valueOf("77") + " " + Short.parseShort("-5") + Byte.parseByte("12"));
    String[] floats = {"1", "1.5", "-2e3", ".5", "5.", "1e400", "NaN", "-Infinity", "1f", "2d", " 3 ", "x", "", "1e", "0x1p3x", "--1"};
    for (String text : floats) {
      String result;
      try {
        result = String.valueOf(Double.parseDouble(text));
      } catch (NumberFormatException exception) {
        result = "bad";
      }
      System.out.print(result + " ");
    }
    System.out.println(Float.parseFloat("0.1") + " " + Float.valueOf("3.4028236e38"));
    System.out.printf("printf %d %s%n", 1, "works");
    System.out.println(Integer.bitCount(255) + " " + Integer.reverse(1) + " " + Integer.highestOneBit(100) + " " + Integer.numberOfLeadingZeros(1) + " " + Integer.numberOfTrailingZeros(8) + " " + Long.numberOfLeadingZeros(1) + " " + Long.bitCount(-1L) + " " + Integer.rotateLeft(0x80000001, 1) + " " + Long.reverse(1L) + " " + Integer.reverseBytes(0x01020304) + " " + Integer.signum(-9) + " " + Integer.compareUnsigned(-1, 1) + " " + Integer.toUnsignedString(-1) + " " + Long.rotateRight(1, 1));
    System.out.println(Double.compare(0.0, -0.0) + " " + Double.compare(Double.NaN, 1) + " " + new Double(0.0).equals(-0.0) + " " + Double.doubleToLongBits(1.5) + " " + Float.floatToIntBits(-2f) + " " + Double.longBitsToDouble(0x4000000000000000L) + " " + Double.hashCode(1.5) + " " + Long.hashCode(1L << 33) + " " + Boolean.hashCode(true) + " " + Double.isNaN(0.0 / 0));
  }
}
