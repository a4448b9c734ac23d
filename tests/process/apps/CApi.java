// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;

/** Drives the C API from Java: spends 1.2 s of CPU time sampled, stopped, sampled again, and dumps. */
public class CApi {
  private static volatile long sink;

  static native String dump();

  static native int stop();

  static native int resume();

  static native String state();

  public static void main(String[] args) {
    System.load(args[0]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    System.out.println("state " + state());
    handler.post(CApi::sampled);
    handler.post(() -> System.out.println("dump " + dump()));
    handler.post(() -> System.out.println("stop " + stop()));
    handler.post(CApi::notSampled);
    handler.post(() -> System.out.println("resume " + resume()));
    handler.post(CApi::sampledAgain);
    handler.post(() -> System.out.println("dump " + dump()));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void sampled() {
    spin();
  }

  private static void notSampled() {
    spin();
  }

  private static void sampledAgain() {
    spin();
  }

  private static void spin() {
    long end = SystemClock.currentThreadTimeMillis() + 1210;
    while (SystemClock.currentThreadTimeMillis() < end) {
      for (int i = 0; i < 1000; i++) {
        sink++;
      }
    }
  }
}
