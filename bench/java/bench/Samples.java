// SPDX-License-Identifier: Apache-2.0
package bench;

/**
 * The cost of one sample by each method, on equal stacks of one process. Arguments: [ours
 * [compiled|jitted]].
 */
public final class Samples {
  private static final int[] DEPTHS = {8, 32, 128};
  private static final int MAX_GAPS = 20_000;
  /** Shorter pauses are the loop's own. */
  private static final long GAP_NS = 1_500;

  /** Set by the thread that {@link Natives#startCallers} starts. */
  static volatile boolean done;

  private static boolean oursOnly;

  private Samples() {}

  public static void main(String[] args) {
    Natives.prepareSampler();
    oursOnly = args.length > 0 && args[0].equals("ours");
    boolean isCompiled = args.length > 1 && args[1].equals("compiled");
    boolean isJitted = args.length > 1 && args[1].equals("jitted");
    if (isCompiled) {
      Natives.installCompiled(Compiled.class);
    } else if (isJitted) {
      Jitted.warm();
    }
    for (int depth : DEPTHS) {
      if (isCompiled) {
        Compiled.even(depth - 2, depth);
        continue;
      } else if (isJitted) {
        Jitted.even(depth - 2, depth);
        continue;
      }
      // The other frames are this one, the native's, and the remaining calls of descend.
      descend(depth - 2, depth, null);
      if (oursOnly) {
        continue;
      }
      done = false;
      long[] gaps = new long[2 * MAX_GAPS];
      Natives.startCallers();
      descend(depth - 2, depth, gaps);
    }
  }

  private static void descend(int left, int depth, long[] gaps) {
    if (left > 1) {
      descend(left - 1, depth, gaps);
    } else if (gaps == null) {
      Natives.measureSamples(depth, oursOnly);
    } else {
      Natives.reportGaps(depth, gaps, spin(gaps));
    }
  }

  /** Runs managed code and records when it was interrupted. Returns the number of gaps. */
  private static int spin(long[] gaps) {
    int count = 0;
    long before = System.nanoTime();
    while (!done) {
      long now = System.nanoTime();
      if (now - before > GAP_NS && count < MAX_GAPS) {
        gaps[2 * count] = before;
        gaps[2 * count + 1] = now;
        count++;
        now = System.nanoTime();
      }
      before = now;
    }
    return count;
  }
}
