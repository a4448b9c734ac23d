// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.Looper;

/** Dispatches empty messages under the preloaded library, then ends. Arguments: messages. */
public final class Quick implements Runnable {
  private final Handler handler = new Handler(Looper.getMainLooper());
  private int left;

  private Quick(int messages) {
    left = messages;
  }

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    // The profiler starts concurrently; its tap is in force well before this ends.
    Thread.sleep(500);
    Quick quick = new Quick(Integer.parseInt(args[0]));
    quick.handler.post(quick);
    Looper.loop();
  }

  @Override
  public void run() {
    if (--left <= 0) {
      System.exit(0);
    }
    handler.post(this);
  }
}
