// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.Looper;

/**
 * What sampling takes from the work of a main thread that is slow all the time: long messages under
 * the preloaded profiler do the same work in turns with sampling off and on. Arguments: milliseconds
 * of one turn.
 */
public final class Slowdown implements Runnable {
  /** The profiler arms its timer within one interval after it is switched on. */
  private static final long SETTLE_NS = 30_000_000;

  /** After this a message is slow. */
  private static final long SLOW_NS = 80_000_000;

  /** More, and the profiler would keep fewer samples a second. */
  private static final int PAIRS_OF_A_MESSAGE = 10;

  private final long turnNs;
  private final Handler main;
  private final long[] without = new long[Natives.slowdownPairs()];
  private final long[] with = new long[without.length];
  private int pairs;
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
    for (int i = 0; i < PAIRS_OF_A_MESSAGE && pairs < with.length; i++) {
      pair();
    }
    if (pairs < with.length) {
      main.post(this);
      return;
    }
    Natives.reportSlowdown(without, with, sampledNs);
    System.exit(0);
  }

  /** Who goes first takes turns too, so that a drift of the machine's speed meets both. */
  private void pair() {
    boolean withFirst = (pairs & 1) != 0;
    long first = turn(withFirst);
    long second = turn(!withFirst);
    with[pairs] = withFirst ? first : second;
    without[pairs] = withFirst ? second : first;
    pairs++;
  }

  private int stepsOfOneTurn() {
    steps = 1_000;
    turn(false);
    return (int) Math.max(1_000, turnNs * 1_000 / turn(false));
  }

  private void work(long ns) {
    long endNs = System.nanoTime() + ns;
    while (System.nanoTime() < endNs) {
      sink += fibonacci(8);
    }
  }

  private long turn(boolean sampled) {
    Natives.setSampling(sampled);
    long switched = Natives.threadCpuNs();
    work(SETTLE_NS);
    long begin = Natives.threadCpuNs();
    for (int i = 0; i < steps; i++) {
      sink += fibonacci(8);
    }
    long end = Natives.threadCpuNs();
    if (sampled) {
      sampledNs += end - switched;
    }
    return end - begin;
  }

  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }
}
