// SPDX-License-Identifier: Apache-2.0
package bench;

/** Two methods that call each other, too long to be inlined, for ART's own JIT compiler. */
final class Jitted {
  private static final int ROUNDS = 40;
  private static final int CALLS = 500;
  private static final int WARM_DEPTH = 6;
  private static final int PAUSE_MS = 50;

  private static int sink;

  private Jitted() {}

  /** Runs until both methods are compiled. */
  static void warm() {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        for (int call = 0; call < CALLS; call++) {
          even(WARM_DEPTH, 0);
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** {@code depth} 0: no measurement at the end. */
  static void even(int left, int depth) {
    int value = left * 31 + depth;
    value = (value ^ value >>> 7) % 1009 + value / 3;
    value = (value ^ value >>> 5) % 2017 + value / 5;
    value = (value ^ value >>> 3) % 4033 + value / 7;
    if (left > 1) {
      odd(left - 1, depth);
    } else if (depth > 0) {
      Natives.measureSamples(depth, true);
    }
    sink = value;
  }

  private static void odd(int left, int depth) {
    int value = left * 17 + depth;
    value = (value ^ value >>> 3) % 1013 + value / 11;
    value = (value ^ value >>> 7) % 2027 + value / 13;
    value = (value ^ value >>> 5) % 4051 + value / 17;
    if (left > 1) {
      even(left - 1, depth);
    } else if (depth > 0) {
      Natives.measureSamples(depth, true);
    }
    sink = value;
  }
}
