// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/** Drives the C API from Java: spins 1.2 s sampled, 1.2 s stopped, 1.2 s sampled again, and dumps after each. */
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
    long end = System.nanoTime() + 1200000000L;
    while (System.nanoTime() < end) {
      sink++;
    }
  }
}
