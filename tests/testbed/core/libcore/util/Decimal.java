// SPDX-License-Identifier: Apache-2.0
package libcore.util;

/** A positive decimal number d.ddd x 10^exponent, to print with a wanted number of places. */
public final class Decimal {
  private final String digits;
  private final int exponent;

  private Decimal(String digits, int exponent) {
    this.digits = digits;
    this.exponent = exponent;
  }

  /** Reads text like 1.25e-07. */
  static Decimal parse(String scientific) {
    int e = scientific.indexOf('e');
    String mantissa = scientific.substring(0, e).replace(".", "");
    if (mantissa.length() == 2 && mantissa.endsWith("0")) {
      mantissa = mantissa.substring(0, 1);
    }
    return new Decimal(mantissa, Integer.parseInt(scientific.substring(e + 1)));
  }

  public String digits() {
    return digits;
  }

  public int exponent() {
    return exponent;
  }

  /** Rounds half up to {@code places} digits after the point of the plain notation. */
  public String plain(int places) {
    Decimal rounded = keepDigits(exponent + 1 + places);
    StringBuilder text = new StringBuilder();
    for (int position = Math.max(rounded.exponent, 0); position >= -places; position--) {
      if (position == -1) {
        text.append('.');
      }
      text.append(rounded.digitAt(position));
    }
    return text.toString();
  }

  /** Rounds half up to {@code places} digits after the point of the scientific notation. */
  public String scientific(int places) {
    Decimal rounded = keepDigits(places + 1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= places; i++) {
      text.append(i == 1 ? "." : "").append(rounded.digitAt(rounded.exponent - i));
    }
    int magnitude = Math.abs(rounded.exponent);
    text.append(rounded.exponent < 0 ? "e-" : "e+").append(magnitude < 10 ? "0" : "").append(magnitude);
    return text.toString();
  }

  private char digitAt(int position) {
    int index = exponent - position;
    return index >= 0 && index < digits.length() ? digits.charAt(index) : '0';
  }

  private Decimal keepDigits(int count) {
    if (count >= digits.length()) {
      return this;
    }
    if (count < 0) {
      return new Decimal("0", 0);
    }
    char[] kept = ("0" + digits.substring(0, count)).toCharArray();
    int last = kept.length - 1;
    if (digits.charAt(count) >= '5') {
      while (kept[last] == '9') {
        kept[last--] = '0';
      }
      kept[last]++;
    }
    boolean carried = kept[0] != '0';
    String text = carried ? new String(kept) : new String(kept, 1, kept.length - 1);
    return text.isEmpty() ? new Decimal("0", 0) : new Decimal(text, carried ? exponent + 1 : exponent);
  }
}
