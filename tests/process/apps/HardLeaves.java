// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Messages whose time goes into what compiled code reaches without a call of a managed method: a native method without a
 * managed frame, and null checks that fault. args[0] is how long each runs in milliseconds.
 */
public final class HardLeaves {
  private static final int TURNS = 20_000;

  private int field;
  private static double sum;
  private static int caught;

  public static void main(String[] args) {
    long nanoseconds = Long.parseLong(args[0]) * 1_000_000L;
    Looper.prepareMainLooper();
    Handler handler = new Handler(Looper.getMainLooper());
    handler.post(() -> rounding(System.nanoTime() + nanoseconds));
    handler.post(() -> faulting(System.nanoTime() + nanoseconds));
    handler.post(() -> System.exit(caught == 0 || sum == 0 ? 2 : 0));
    Looper.loop();
  }

  private static void rounding(long end) {
    while (System.nanoTime() < end) {
      sum += round();
    }
  }

  /** Unless it is an intrinsic, Math.floor is a @CriticalNative method. */
  private static double round() {
    double rounded = 0;
    for (int i = 0; i < TURNS; i++) {
      rounded += Math.floor(i * 3.3);
    }
    return rounded;
  }

  private static void faulting(long end) {
    while (System.nanoTime() < end) {
      for (int i = 0; i < 50; i++) {
        try {
          caught += read(null);
        } catch (NullPointerException expected) {
          caught++;
        }
      }
    }
  }

  private static int read(HardLeaves from) {
    return from.field;
  }
}
