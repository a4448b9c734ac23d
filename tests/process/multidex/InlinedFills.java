// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.util.Arrays;

/**
 * One message that spends its time in a method that a compiler inlines ahead of time. args: ms, and the method's owner:
 * "platform", or "other" for another dex file of the application.
 */
public final class InlinedFills {
  private static final int[] VALUES = new int[4000];

  public static void main(String[] args) {
    long nanoseconds = Long.parseLong(args[0]) * 1_000_000L;
    Looper.prepareMainLooper();
    Handler handler = new Handler(Looper.getMainLooper());
    handler.post(args[1].equals("other") ? () -> fillByOther(nanoseconds) : () -> fillByPlatform(nanoseconds));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void fillByOther(long nanoseconds) {
    long end = System.nanoTime() + nanoseconds;
    for (int value = 0; System.nanoTime() < end; value++) {
      OtherFile.fill(VALUES, value);
    }
  }

  private static void fillByPlatform(long nanoseconds) {
    long end = System.nanoTime() + nanoseconds;
    for (int value = 0; System.nanoTime() < end; value++) {
      Arrays.fill(VALUES, value);
    }
  }
}
