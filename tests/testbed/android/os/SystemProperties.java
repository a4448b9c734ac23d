// SPDX-License-Identifier: Apache-2.0
package android.os;

/**
 * The device's properties; the test bed knows the few that {@link Build} shows.
 *
 * @hide
 */
public final class SystemProperties {
  private SystemProperties() {}

  private static native String native_get(String key, String def);

  public static String get(String key) {
    return get(key, "");
  }

  /** The value of {@code key}, or {@code def} when it is not set. */
  public static String get(String key, String def) {
    return native_get(key, def);
  }

  /** The value of {@code key} as a number, or {@code def} when it is not set or is none. */
  public static int getInt(String key, int def) {
    try {
      return Integer.parseInt(get(key));
    } catch (NumberFormatException e) {
      return def;
    }
  }
}
