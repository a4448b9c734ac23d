// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import dalvik.annotation.optimization.FastNative;

/**
 * Loads the libraries args[2] and args[3] in turn, args[1] times, computes in each for a moment and unloads it. Prints
 * the memory of the process after a tenth of that, and at the end.
 */
public class PassingLibraries {
  // At most as many messages as a dump has trees.
  private static final int PER_MESSAGE = 100;
  private static final long SPIN_US = 2_500;

  @FastNative
  static native boolean spin(String library, long us);

  static native long residentKib();

  public static void main(String[] args) {
    System.load(args[0]);
    int times = Integer.parseInt(args[1]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    for (int done = PER_MESSAGE; done <= times; done += PER_MESSAGE) {
      boolean isReported = done == Math.max(times / 10 / PER_MESSAGE, 1) * PER_MESSAGE || done == times;
      handler.post(() -> pass(args[2], args[3]));
      if (isReported) handler.post(() -> System.out.println("resident " + residentKib()));
    }
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void pass(String one, String other) {
    for (int i = 0; i < PER_MESSAGE; i++) {
      if (!(i % 2 == 0 ? spinOne(one) : spinOther(other))) throw new IllegalStateException("not loaded");
    }
  }

  // Whose library it is that a sample is in.
  private static boolean spinOne(String library) {
    return spin(library, SPIN_US);
  }

  private static boolean spinOther(String library) {
    return spin(library, SPIN_US);
  }
}
