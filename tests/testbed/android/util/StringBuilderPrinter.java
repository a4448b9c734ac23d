// SPDX-License-Identifier: Apache-2.0
package android.util;

/** Prints to a {@link StringBuilder}, each text with an end of line. */
public class StringBuilderPrinter implements Printer {
  private final StringBuilder mBuilder;

  public StringBuilderPrinter(StringBuilder builder) {
    mBuilder = builder;
  }

  @Override
  public void println(String x) {
    mBuilder.append(x);
    if (x.length() == 0 || x.charAt(x.length() - 1) != '\n') {
      mBuilder.append('\n');
    }
  }
}
