// SPDX-License-Identifier: Apache-2.0
package android.util;

/** Takes lines of text. */
public interface Printer {
  /** Takes one line, without its end. */
  void println(String x);
}
