// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.File;

/**
 * Hangs for args[1] ms in a message, with args[0] threads that do nothing, and says when that begins and when it is over;
 * ends when the file args[2] is there.
 */
public class Parked {
  private static volatile long sink;

  public static void main(String[] args) {
    final int threads = Integer.parseInt(args[0]);
    final long ms = Long.parseLong(args[1]);
    final Object never = new Object();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> park(never), "parked-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    endWhenAsked(new File(args[2]));
    Looper.prepareMainLooper();
    new Handler().postDelayed(() -> hang(ms), 2000);
    Looper.loop();
  }

  private static void park(Object never) {
    synchronized (never) {
      try {
        never.wait();
      } catch (InterruptedException e) {
        throw new RuntimeException(e);
      }
    }
  }

  private static void hang(long ms) {
    System.out.println("begins");
    long end = System.currentTimeMillis() + ms;
    while (System.currentTimeMillis() < end) {
      sink++;
    }
    System.out.println("over");
  }

  private static void endWhenAsked(File told) {
    new Thread(() -> {
      while (!told.exists()) {
        try {
          Thread.sleep(50);
        } catch (InterruptedException e) {
          throw new RuntimeException(e);
        }
      }
      Runtime.getRuntime().halt(0);
    }).start();
  }
}
