// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.Looper;

/**
 * The slowdown of a main thread that is slow all the time. Long messages under the preloaded
 * profiler repeat the same work without signals, with empty signals of a timer like the profiler's,
 * and with sampling. Arguments: milliseconds of one measurement.
 */
public final class Slowdown implements Runnable {
  /** The profiler arms its timer within one interval after it is switched on. */
  private static final long SETTLE_NS = 30_000_000;

  /** From here on a message is slow. */
  private static final long SLOW_NS = 80_000_000;

  /** With more, the profiler would keep fewer samples a second. */
  private static final int ROUNDS_OF_A_MESSAGE = 7;

  /** Kinds of measurements. */
  private static final int QUIET = 0;

  private static final int EMPTY_SIGNALS = 1;
  private static final int SAMPLED = 2;
  private static final int KINDS = 3;

  private final long turnNs;
  private final Handler main;
  /** CPU time by kind and round. */
  private final long[][] cpuNs = new long[KINDS][Natives.slowdownRounds()];
  private int rounds;
  private int steps;
  private int sink;
  /** CPU time with sampling on. */
  private long sampledNs;

  private Slowdown(long turnNs, Handler main) {
    this.turnNs = turnNs;
    this.main = main;
  }

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    Handler main = new Handler(Looper.getMainLooper());
    main.post(new Slowdown(1_000_000L * Integer.parseInt(args[0]), main));
    Looper.loop();
  }

  @Override
  public void run() {
    Natives.setSampling(false);
    work(SLOW_NS);
    if (steps == 0) {
      steps = stepsOfOneTurn();
    }
    for (int i = 0; i < ROUNDS_OF_A_MESSAGE && rounds < cpuNs[QUIET].length; i++) {
      round();
    }
    if (rounds < cpuNs[QUIET].length) {
      main.post(this);
      return;
    }
    Natives.reportSlowdown(cpuNs[QUIET], cpuNs[EMPTY_SIGNALS], cpuNs[SAMPLED], sampledNs);
    System.exit(0);
  }

  /** The order of the kinds rotates, so that a drift of the machine's speed affects all. */
  private void round() {
    for (int i = 0; i < KINDS; i++) {
      int kind = (rounds + i) % KINDS;
      cpuNs[kind][rounds] = turn(kind);
    }
    rounds++;
  }

  private int stepsOfOneTurn() {
    steps = 1_000;
    turn(QUIET);
    return (int) Math.max(1_000, turnNs * 1_000 / turn(QUIET));
  }

  private void work(long ns) {
    long endNs = System.nanoTime() + ns;
    while (System.nanoTime() < endNs) {
      sink += fibonacci(8);
    }
  }

  private long turn(int kind) {
    Natives.setEmptySignals(kind == EMPTY_SIGNALS);
    Natives.setSampling(kind == SAMPLED);
    long switched = Natives.threadCpuNs();
    work(SETTLE_NS);
    long begin = Natives.threadCpuNs();
    for (int i = 0; i < steps; i++) {
      sink += fibonacci(8);
    }
    long end = Natives.threadCpuNs();
    if (kind == SAMPLED) {
      sampledNs += end - switched;
    }
    return end - begin;
  }

  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }
}
