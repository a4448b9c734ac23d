// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/** Loops for args[0] seconds in one message. */
public class Hang {
  private static volatile long sink;

  public static void main(String[] args) {
    final long seconds = Long.parseLong(args[0]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(() -> hang(seconds));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void hang(long seconds) {
    System.out.println("hanging");
    long end = System.nanoTime() + seconds * 1000000000L;
    while (System.nanoTime() < end) {
      sink++;
    }
  }
}
