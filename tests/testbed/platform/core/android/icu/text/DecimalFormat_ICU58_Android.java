// SPDX-License-Identifier: Apache-2.0
package android.icu.text;

/** In place of the copy of ICU 58's class that Android keeps and libicu4j-java lacks; java.text.DecimalFormat uses it. */
public class DecimalFormat_ICU58_Android extends DecimalFormat {
  public DecimalFormat_ICU58_Android(String pattern, DecimalFormatSymbols symbols) {
    super(pattern, symbols);
  }
}
