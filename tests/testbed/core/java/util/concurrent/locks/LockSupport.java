// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

import sun.misc.Unsafe;

/** Lets threads stop until another lets them go on. */
public class LockSupport {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();

  public static void park() {
    UNSAFE.park(false, 0);
  }

  public static void park(Object blocker) {
    park();
  }

  public static void parkNanos(long nanos) {
    if (nanos > 0) {
      UNSAFE.park(false, nanos);
    }
  }

  public static void parkNanos(Object blocker, long nanos) {
    parkNanos(nanos);
  }

  public static void unpark(Thread thread) {
    if (thread != null) {
      UNSAFE.unpark(thread);
    }
  }

  private LockSupport() {}
}
