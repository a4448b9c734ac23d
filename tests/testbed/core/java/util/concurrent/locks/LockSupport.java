// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

import sun.misc.Unsafe;

/** Blocks threads until another thread unblocks them. */
public class LockSupport {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long BLOCKER = Unsafe.fieldOffset(Thread.class, "parkBlocker");

  public static void park() {
    UNSAFE.park(false, 0);
  }

  public static void park(Object blocker) {
    Thread thread = Thread.currentThread();
    setBlocker(thread, blocker);
    park();
    setBlocker(thread, null);
  }

  /** Tools read the reason for which a thread is parked. */
  private static void setBlocker(Thread thread, Object blocker) {
    UNSAFE.putObjectVolatile(thread, BLOCKER, blocker);
  }

  public static void parkNanos(long nanos) {
    if (nanos > 0) {
      UNSAFE.park(false, nanos);
    }
  }

  public static void parkNanos(Object blocker, long nanos) {
    Thread thread = Thread.currentThread();
    setBlocker(thread, blocker);
    parkNanos(nanos);
    setBlocker(thread, null);
  }

  public static void unpark(Thread thread) {
    if (thread != null) {
      UNSAFE.unpark(thread);
    }
  }

  private LockSupport() {}
}
