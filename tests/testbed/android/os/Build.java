// SPDX-License-Identifier: Apache-2.0
package android.os;

/** Facts of the device. */
public class Build {
  public static final String UNKNOWN = "unknown";

  public static final String BRAND = get("ro.product.brand");
  public static final String MANUFACTURER = get("ro.product.manufacturer");
  public static final String MODEL = get("ro.product.model");
  public static final String FINGERPRINT = get("ro.build.fingerprint");
  public static final String HARDWARE = get("ro.hardware");

  private static String get(String property) {
    return SystemProperties.get(property, UNKNOWN);
  }

  /** The platform release whose runtime the test bed runs. */
  public static class VERSION {
    public static final String RELEASE = get("ro.build.version.release");
    public static final String SECURITY_PATCH = get("ro.build.version.security_patch");
    public static final int SDK_INT = SystemProperties.getInt("ro.build.version.sdk", 0);
  }

  /** The API levels the test bed has a runtime for. */
  public static class VERSION_CODES {
    public static final int Q = 29;
    public static final int R = 30;
    public static final int UPSIDE_DOWN_CAKE = 34;
  }
}
