// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;

/**
 * The cost of a quick message on the real loop under each tap. Argument: nothing for times, or
 * several (loopers), allocations or instructions.
 */
public final class Taps implements Runnable {
  /**
   * Messages of a block before its timing begins: the previous variant's observer still ends one.
   */
  private static final int WARM_UP = 100;

  private static final int TIMED = 2_000;

  /** A counted instruction takes microseconds. */
  private static final int COUNTED = 5;

  private final Handler handler = new Handler(Looper.getMainLooper());
  private final int measured;
  private int left;

  private Taps(int measured) {
    this.measured = measured;
    left = WARM_UP + measured;
  }

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    String how = args.length > 0 ? args[0] : "";
    Natives.prepareTaps(how);
    if (how.equals("several")) {
      startOthers();
    }
    Taps taps = new Taps(how.equals("instructions") ? COUNTED : TIMED);
    taps.handler.post(taps);
    Looper.loop();
  }

  /** Other watched loopers, which had a message and wait for the next. */
  private static void startOthers() {
    for (int i = 0; i < 4; i++) {
      HandlerThread thread = new HandlerThread("looper" + i);
      thread.start();
      Handler other = new Handler(thread.getLooper());
      other.post(() -> other.postDelayed(() -> {}, 100));
    }
  }

  @Override
  public void run() {
    left--;
    if (left == measured) {
      Natives.blockBegins();
    } else if (left == 0) {
      if (!Natives.blockEnds(measured)) {
        System.exit(0);
      }
      left = WARM_UP + measured;
    }
    handler.post(this);
  }
}
