// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.app.ActivityThread;
import android.app.Application;
import android.os.Looper;

/** Started by {@code android.app.ActivityThread android_tests.GreetingApplication}. */
public final class GreetingApplication extends Application {
  @Override
  public void onCreate() {
    final boolean onMain = Looper.getMainLooper().isCurrentThread();
    final boolean bound = ActivityThread.currentActivityThread().getApplication() == this;
    System.out.println("created, on main " + onMain + ", bound " + bound);
    System.exit(7);
  }
}
