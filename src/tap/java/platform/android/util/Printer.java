// SPDX-License-Identifier: Apache-2.0
// The platform's, by name and signature only.
package android.util;

/** Platform class, for the compiler only. */
public interface Printer {
  void println(String text);
}
