// SPDX-License-Identifier: Apache-2.0
package android.app;

import android.content.pm.ApplicationInfo;
import android.os.SystemProperties;

/** An application's own object; {@link ActivityThread#main} makes one and calls it. */
public class Application {
  /** Called on the main thread in the first message. */
  public void onCreate() {}

  /** The service of that name, or null; the test bed has {@code activity}. */
  public Object getSystemService(String name) {
    return name.equals("activity") ? new ActivityManager() : null;
  }

  /** The package is that of the application's class; its version is a property of the test bed. */
  public ApplicationInfo getApplicationInfo() {
    final ApplicationInfo info = new ApplicationInfo();
    final String name = getClass().getName();
    final int dot = name.lastIndexOf('.');
    info.packageName = dot < 0 ? name : name.substring(0, dot);
    info.versionCode = SystemProperties.getInt("testbed.version.code", 1);
    info.longVersionCode = info.versionCode;
    return info;
  }
}
