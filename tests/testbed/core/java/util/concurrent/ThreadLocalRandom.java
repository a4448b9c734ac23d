// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.Random;

/** A random number generator for each thread. */
public class ThreadLocalRandom extends Random {
  private static final ThreadLocal<ThreadLocalRandom> OWN = ThreadLocal.withInitial(ThreadLocalRandom::new);

  private ThreadLocalRandom() {}

  public static ThreadLocalRandom current() {
    return OWN.get();
  }

  public int nextInt(int start, int end) {
    return start + nextInt(end - start);
  }
}
