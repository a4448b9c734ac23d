// SPDX-License-Identifier: Apache-2.0
import android.app.ActivityThread;
import android.app.Application;
import android.os.Handler;
import android.os.SystemClock;

/** An application on Android's own ActivityThread, whose other end is the test bed's stand-in. Its start takes long. */
public final class StartsLikeAnApp {
  private static final int START_MS = 1_500;

  private StartsLikeAnApp() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    Class<?> standIns = Class.forName("testbed.StandIns"); // in Android's framework as the test bed builds it
    standIns.getMethod("install", String.class).invoke(null, App.class.getName());
    ActivityThread.main(new String[0]);
  }

  /** Computes in onCreate. */
  public static final class App extends Application {
    static volatile long sink;

    @Override
    public void onCreate() {
      readPreferences();
      new Handler().post(() -> System.exit(0));
    }

    private static void readPreferences() {
      long end = SystemClock.uptimeMillis() + START_MS;
      while (SystemClock.uptimeMillis() < end) {
        sink++;
      }
    }
  }
}
