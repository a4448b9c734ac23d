/**
 * Methods that call each other by number: {@code code & 15} names the next one, {@code code >> 4}
 * is what it gets. Most of them are replaced by machine code that does the same
 * (quick_code/x86_64/compile.cc); until then they show at which dex pc each calls which.
 *
 * <p>Usage: QuickCode LIBRARY prove|sweep
 */
public class QuickCode {
  private static final int PROBE = 0;
  private static final int PLAIN = 1;
  private static final int LARGE = 2;
  private static final int AHEAD = 3;
  private static final int JUST = 4;
  private static final int NTERP = 5;
  private static final int INTERPRETED = 6;
  private static final int THROUGH = 7;
  private static final int LEAF = 8;
  private static final int SPILLING = 9;
  private static final int THROWER = 10;

  private static final int NTERP_WORK = -1;

  private static final int[] CALLERS = {PLAIN, LARGE, AHEAD, JUST, NTERP, INTERPRETED, THROUGH};
  private static final int[] ENDS = {PROBE, LEAF, SPILLING, THROWER};

  /** Leaves call {@link #probe} too while the dex pcs are learned. */
  private static boolean learning = true;

  private static byte[] garbage;

  /** False when this runtime is not one of the known ones. */
  private static native boolean bind();

  /** Begins one chain of calls; {@code phase}: 0 learns, 1 compares, 2 takes it step by step. */
  private static native void begin(int phase, int code);

  private static native void end();

  /** Replaces the methods; {@code sweeps}: phase 2 follows. */
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
    begin(phase, code);
    int result;
    try {
      result = code == NTERP_WORK ? NterpWork.work(5) : root(code);
    } catch (IllegalStateException e) {
      result = -1;
    }
    end();
    return result;
  }

  public static void main(String[] args) {
    System.load(args[0]);
    if (!bind()) {
      System.exit(2);
    }
    int release = Integer.parseInt(System.getProperty("testbed.art.release"));
    boolean sweeps = args[1].equals("sweep");
    int[] chains = chains();
    int[] results = new int[chains.length];
    for (int phase = 0; phase <= (sweeps ? 2 : 1); phase++) {
      learning = phase == 0;
      for (int i = 0; i < chains.length; i++) {
        int result = run(phase, chains[i]);
        if (phase == 0) {
          results[i] = result;
        } else if (result != results[i] && chains[i] != NTERP_WORK) {
          throw new IllegalStateException(
              "chain " + Integer.toHexString(chains[i]) + " gave " + result);
        }
        if (phase == 1 && i % 20 == 0) {
          collect();
        }
      }
      if (phase == 0 && !install(release, sweeps)) {
        System.exit(2);
      }
    }
    System.exit(report() == 0 ? 0 : 1);
  }

  /** Fills the heap: not every release's test bed has a way to ask for a collection. */
  private static void collect() {
    for (int i = 0; i < 20; i++) {
      garbage = new byte[1 << 20];
    }
  }

  /** Each caller calling each, and some long chains. */
  private static int[] chains() {
    int[] chains = new int[1 + CALLERS.length * (CALLERS.length + ENDS.length) + 40];
    int count = 0;
    chains[count++] = NTERP_WORK;
    for (int first : CALLERS) {
      for (int second : CALLERS) {
        chains[count++] = first | second << 4;
      }
      for (int end : ENDS) {
        chains[count++] = first | end << 4 | 5 << 8;
      }
    }
    int random = 11;
    while (count < chains.length) {
      int chain = ENDS[count % ENDS.length];
      for (int depth = 0; depth < 6; depth++) {
        random = random * 1103515245 + 12345;
        chain = chain << 4 | CALLERS[(random >>> 16) % CALLERS.length];
      }
      chains[count++] = chain;
    }
    return chains;
  }
}
