// SPDX-License-Identifier: Apache-2.0
/**
 * Methods that call each other by number: {@code code & 15} names the next one, {@code code >> 4}
 * is what it gets. Most of them are replaced by machine code that does the same
 * (quick_code/compile.cc); until then they show at which dex pc each calls which.
 *
 * <p>Usage: QuickCode LIBRARY prove|sweep|anywhere [MICROSECONDS SECONDS]
 */
public class QuickCode {
  static final int PROBE = 0;
  static final int PLAIN = 1;
  static final int LARGE = 2;
  static final int AHEAD = 3;
  static final int JUST = 4;
  static final int NTERP = 5;
  static final int INTERPRETED = 6;
  static final int THROUGH = 7;
  static final int LEAF = 8;
  static final int SPILLING = 9;
  static final int THROWER = 10;

  static final int NTERP_WORK = -1;

  private static final int LEARN = 0;
  private static final int COMPARE = 1;
  private static final int SWEEP = 2;
  private static final int ANYWHERE = 3;

  /** How often a chain runs in a row while it is sampled: of compiled methods alone, and others. */
  private static final int TIMES_COMPILED = 20_000;

  private static final int TIMES_MIXED = 10;

  /** Leaves call {@link #probe} too while the dex pcs are learned. */
  private static boolean learning = true;

  private static byte[] garbage;

  /** False when this runtime is not one of the known ones. */
  private static native boolean bind();

  /** Begins one chain of calls, or many of them in the phase ANYWHERE. */
  private static native void begin(int phase, int code);

  private static native void end();

  /** From here on a sample is taken whenever so many microseconds have gone by. */
  private static native void sample(int microseconds);

  /** Replaces the methods; {@code sweeps}: the phase SWEEP or ANYWHERE follows. */
  private static native boolean install(int release, boolean sweeps);

  /** Prints what was found; the number of differences. */
  private static native int report();

  /** Where all chains end: looks at the stack. */
  static native int probe(int code);

  /** As {@link #probe}, but it ends with an exception that {@link #run} catches. */
  static native int thrower(int code);

  /** Native code that calls back. */
  static native int through(int code);

  /** Where all chains begin. */
  static int root(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Compiled. */
  static int plain(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Compiled, with a frame of more than a page. */
  static int large(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Stays as it is: nterp runs it. */
  static int nterp(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Entered through the bridge to the interpreter. */
  static int interpreted(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Compiled, as by a compiler ahead of time: inlined methods by their index. */
  static int ahead(int code) {
    return aheadInner(code);
  }

  private static int aheadInner(int code) {
    int again = code;
    return aheadInnermost(again);
  }

  private static int aheadInnermost(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Compiled, as by a compiler just in time: inlined methods by their address. */
  static int just(int code) {
    return justInner(code);
  }

  private static int justInner(int code) {
    int again = code;
    return justInnermost(again);
  }

  private static int justInnermost(int code) {
    switch (code & 15) {
      case PROBE:
        return probe(code >> 4) + 1;
      case PLAIN:
        return plain(code >> 4) + 1;
      case LARGE:
        return large(code >> 4) + 1;
      case AHEAD:
        return ahead(code >> 4) + 1;
      case JUST:
        return just(code >> 4) + 1;
      case NTERP:
        return nterp(code >> 4) + 1;
      case INTERPRETED:
        return interpreted(code >> 4) + 1;
      case THROUGH:
        return through(code >> 4) + 1;
      case LEAF:
        return leaf(code >> 4) + 1;
      case SPILLING:
        return spilling(code >> 4) + 1;
      case THROWER:
        return thrower(code >> 4) + 1;
      default:
        return 0;
    }
  }

  /** Compiled, without a frame. */
  static int leaf(int value) {
    if (learning) {
      probe(value);
    }
    return 3 * value + 1;
  }

  /** Compiled, with a frame that does not name the method. */
  static int spilling(int value) {
    if (learning) {
      probe(value);
    }
    int sum = 0;
    for (int i = value & 7; i >= 0; i--) {
      sum += i;
    }
    return sum;
  }

  /** What Java itself sees of the stack. */
  static String trace() {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement element : Thread.currentThread().getStackTrace()) {
      text.append(element).append('\n');
    }
    return text.toString();
  }

  private static int run(int phase, int code) {
    int times = phase == ANYWHERE ? timesOf(code) : 1;
    begin(phase, code);
    int result = 0;
    for (; times > 0; times--) {
      try {
        result = code == NTERP_WORK ? NterpWork.work(5) : root(code);
      } catch (IllegalStateException e) {
        result = -1;
      }
    }
    end();
    return result;
  }

  private static int timesOf(int code) {
    int left = code;
    while ((left & 15) >= PLAIN && (left & 15) <= JUST) {
      left >>= 4;
    }
    return (left & 15) == LEAF || (left & 15) == SPILLING ? TIMES_COMPILED : TIMES_MIXED;
  }

  private static void sampleAnywhere(int[] chains, int microseconds, int seconds) {
    sample(microseconds);
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (System.nanoTime() < end) {
      for (int chain : chains) {
        if (chain != NTERP_WORK) {
          run(ANYWHERE, chain);
        }
      }
    }
  }

  public static void main(String[] args) {
    System.load(args[0]);
    if (!bind()) {
      System.exit(2);
    }
    int release = Integer.parseInt(System.getProperty("testbed.art.release"));
    boolean sweeps = args[1].equals("sweep");
    boolean samples = args[1].equals("anywhere");
    int[] chains = Chains.all();
    int[] results = new int[chains.length];
    for (int phase = LEARN; phase <= (sweeps ? SWEEP : COMPARE); phase++) {
      learning = phase == LEARN;
      for (int i = 0; i < chains.length; i++) {
        int result = run(phase, chains[i]);
        if (phase == LEARN) {
          results[i] = result;
        } else if (result != results[i] && chains[i] != NTERP_WORK) {
          throw new IllegalStateException(
              "chain " + Integer.toHexString(chains[i]) + " gave " + result);
        }
        if (phase == COMPARE && i % 20 == 0) {
          collect();
        }
      }
      if (phase == LEARN && !install(release, sweeps || samples)) {
        System.exit(2);
      }
    }
    if (samples) {
      sampleAnywhere(chains, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    }
    System.exit(report() == 0 ? 0 : 1);
  }

  /** Fills the heap: not every release's test bed has a way to ask for a collection. */
  private static void collect() {
    for (int i = 0; i < 20; i++) {
      garbage = new byte[1 << 20];
    }
  }
}
