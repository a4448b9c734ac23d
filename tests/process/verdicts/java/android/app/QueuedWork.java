// SPDX-License-Identifier: Apache-2.0
package android.app;

import java.util.concurrent.CountDownLatch;

/** Where an activity that stops waits for what SharedPreferences.apply has yet to write. */
public final class QueuedWork {
  private QueuedWork() {}

  public static void waitToFinish(CountDownLatch written) {
    try {
      written.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e.toString());
    }
  }
}
