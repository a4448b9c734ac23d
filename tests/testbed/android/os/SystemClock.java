// SPDX-License-Identifier: Apache-2.0
package android.os;

/** The platform's clocks, over the kernel's. */
public final class SystemClock {
  private SystemClock() {}

  /** Milliseconds since boot without deep sleep (CLOCK_MONOTONIC); the time of messages. */
  public static native long uptimeMillis();

  /** Milliseconds since boot with deep sleep (CLOCK_BOOTTIME). */
  public static native long elapsedRealtime();

  /** Nanoseconds since boot with deep sleep (CLOCK_BOOTTIME). */
  public static native long elapsedRealtimeNanos();

  /** Milliseconds of CPU time of the calling thread. */
  public static native long currentThreadTimeMillis();

  /** Sleeps the whole time; an interrupt is kept for the caller. */
  public static void sleep(long ms) {
    final long end = uptimeMillis() + ms;
    boolean interrupted = false;
    for (long left = ms; left > 0; left = end - uptimeMillis()) {
      try {
        Thread.sleep(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
