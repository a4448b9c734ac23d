// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.SystemClock;
import android.util.Printer;

/**
 * BlockCanary's Printer for a quick message: two clocks before it, one after
 * (com.github.markzhai.blockcanary.LooperMonitor). Omits its sampler, which would be started and
 * stopped.
 */
final class BlockPrinter implements Printer {
  private static final long BLOCK_MS = 1_000;

  private long startMs;
  private long startThreadMs;
  private boolean started;
  private long blocks;

  @Override
  public void println(String text) {
    if (!started) {
      startMs = System.currentTimeMillis();
      startThreadMs = SystemClock.currentThreadTimeMillis();
      started = true;
    } else {
      started = false;
      if (System.currentTimeMillis() - startMs > BLOCK_MS) {
        blocks += SystemClock.currentThreadTimeMillis() - startThreadMs;
      }
    }
  }
}
