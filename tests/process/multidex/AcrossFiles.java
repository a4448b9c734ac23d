// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/** One message that spends its time in a method of another dex file of the application; args[0]: ms. */
public final class AcrossFiles {
  private static final int[] VALUES = new int[4000];

  public static void main(String[] args) {
    long nanoseconds = Long.parseLong(args[0]) * 1_000_000L;
    Looper.prepareMainLooper();
    Handler handler = new Handler(Looper.getMainLooper());
    handler.post(() -> fill(nanoseconds));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void fill(long nanoseconds) {
    long end = System.nanoTime() + nanoseconds;
    for (int value = 0; System.nanoTime() < end; value++) {
      OtherFile.fill(VALUES, value);
    }
  }
}
