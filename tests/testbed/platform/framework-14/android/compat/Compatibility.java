// SPDX-License-Identifier: Apache-2.0
package android.compat;

/** Stands in for libcore 14's: all changes of behaviour are on, as for a program of the newest release. */
public final class Compatibility {
  public static boolean isChangeEnabled(long changeId) {
    return true;
  }

  private Compatibility() {}
}
