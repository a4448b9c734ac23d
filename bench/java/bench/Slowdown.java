package bench;

import android.os.Handler;
import android.os.Looper;

/**
 * What sampling takes from the work of a main thread that is slow all the time: one endless message
 * under the preloaded profiler does the same work in turns with sampling off and on. Arguments:
 * milliseconds of one turn.
 */
public final class Slowdown implements Runnable {
  /** The profiler arms its timer within one interval after it is switched on. */
  private static final long SETTLE_NS = 30_000_000;

  private final long turnNs;
  private int sink;
  /** CPU time with sampling on. */
  private long sampledNs;

  private Slowdown(long turnNs) {
    this.turnNs = turnNs;
  }

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    new Handler(Looper.getMainLooper()).post(new Slowdown(1_000_000L * Integer.parseInt(args[0])));
    Looper.loop();
  }

  @Override
  public void run() {
    int steps = stepsOfOneTurn();
    int pairs = Natives.slowdownPairs();
    long[] without = new long[pairs];
    long[] with = new long[pairs];
    for (int i = 0; i < pairs; i++) {
      // Who goes first takes turns too, so that a drift of the machine's speed meets both.
      boolean withFirst = (i & 1) != 0;
      long first = turn(withFirst, steps);
      long second = turn(!withFirst, steps);
      with[i] = withFirst ? first : second;
      without[i] = withFirst ? second : first;
    }
    Natives.reportSlowdown(without, with, sampledNs);
    System.exit(0);
  }

  private int stepsOfOneTurn() {
    turn(false, 1_000);
    sampledNs = 0;
    return (int) Math.max(1_000, turnNs * 1_000 / turn(false, 1_000));
  }

  private long turn(boolean sampled, int steps) {
    Natives.setSampling(sampled);
    long switched = Natives.threadCpuNs();
    long settledNs = System.nanoTime() + SETTLE_NS;
    while (System.nanoTime() < settledNs) {
      sink += fibonacci(8);
    }
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
