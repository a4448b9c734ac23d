// SPDX-License-Identifier: Apache-2.0
package android.os;

/** Sections of the system trace. Nothing records them here, so they cost a call only. */
public final class Trace {
  private Trace() {}

  public static boolean isEnabled() {
    return false;
  }

  public static void beginSection(String sectionName) {}

  public static void endSection() {}
}
