// SPDX-License-Identifier: Apache-2.0
package android.util;

import java.io.PrintStream;

/** Prints to a stream. */
public class PrintStreamPrinter implements Printer {
  private final PrintStream mStream;

  public PrintStreamPrinter(PrintStream stream) {
    mStream = stream;
  }

  @Override
  public void println(String x) {
    mStream.println(x);
  }
}
