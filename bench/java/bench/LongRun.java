// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.Looper;

/**
 * Days of messages in a minute: quick ones, and slow ones with ever new stacks. They fill history,
 * trees, names and ring of a preloaded profiler. Arguments: slow messages, microseconds each.
 */
public final class LongRun implements Runnable {
  private static final int QUICK_PER_SLOW = 50;

  private final Handler handler = new Handler(Looper.getMainLooper());
  private final CallGraph graph = new CallGraph(42);
  private final long slowMicroseconds;
  private int slowLeft;
  private int quickLeft = QUICK_PER_SLOW;

  private LongRun(int slow, long microseconds) {
    slowLeft = slow;
    slowMicroseconds = microseconds;
  }

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    Thread.sleep(500);
    LongRun run = new LongRun(Integer.parseInt(args[0]), Long.parseLong(args[1]));
    run.handler.post(run);
    Looper.loop();
  }

  @Override
  public void run() {
    if (--quickLeft > 0) {
      handler.post(this);
      return;
    }
    quickLeft = QUICK_PER_SLOW;
    graph.walk(20, () -> Natives.spin(slowMicroseconds / 20));
    if (--slowLeft > 0) {
      handler.post(this);
      return;
    }
    Runtime.getRuntime().gc();
    Natives.reportMemory();
    System.exit(0);
  }
}
