// SPDX-License-Identifier: Apache-2.0
package android.util;

/**
 * Writes durations the way the platform's dumps do.
 *
 * @hide
 */
public final class TimeUtils {
  private static final String[] UNITS = {"d", "h", "m", "s"};
  private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1000};

  private TimeUtils() {}

  /**
   * Appends {@code 0}, or a sign and the units from the largest that is not zero down to
   * milliseconds: {@code -1m0s250ms}.
   */
  public static void formatDuration(long millis, StringBuilder out) {
    if (millis == 0) {
      out.append('0');
      return;
    }
    out.append(millis < 0 ? '-' : '+');
    long left = Math.abs(millis);
    boolean started = false;
    for (int i = 0; i < UNITS.length; i++) {
      final long count = left / UNIT_MILLIS[i];
      left %= UNIT_MILLIS[i];
      started |= count != 0;
      if (started) {
        out.append(count).append(UNITS[i]);
      }
    }
    out.append(left).append("ms");
  }
}
