// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.io.File;

/**
 * Dispatches a message every args[0] milliseconds until the file args[1] is there; 0: one alone. Every args[2]th, if
 * that is not 0, takes args[3] milliseconds of CPU time, the others next to nothing. Says "slow" after each of these,
 * and in the end how many there were.
 */
public class Rests {
  private static int messages;
  private static volatile boolean isOver;

  public static void main(String[] args) {
    final long everyMs = Long.parseLong(args[0]);
    final int slowEvery = Integer.parseInt(args[2]);
    final long slowMs = Long.parseLong(args[3]);
    endWhenAsked(new File(args[1]), everyMs == 0);
    Looper.prepareMainLooper();
    final Handler handler = new Handler();
    Runnable message = new Runnable() {
      @Override
      public void run() {
        if (isOver) {
          System.out.println("messages " + messages);
          System.exit(0);
        }
        messages++;
        if (everyMs != 0) {
          handler.postDelayed(this, everyMs);
        }
        if (slowEvery != 0 && messages % slowEvery == 0) {
          spin(slowMs);
          System.out.println("slow");
        }
      }
    };
    handler.post(() -> System.out.println("ready"));
    handler.post(message);
    Looper.loop();
  }

  private static void spin(long ms) {
    long end = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < end) {
      messages += 0;
    }
  }

  private static void endWhenAsked(File told, boolean returnsNever) {
    new Thread(() -> {
      while (!told.exists()) {
        try {
          Thread.sleep(100);
        } catch (InterruptedException e) {
          throw new RuntimeException(e);
        }
      }
      isOver = true;
      if (returnsNever) {
        Runtime.getRuntime().halt(0);
      }
    }).start();
  }
}
