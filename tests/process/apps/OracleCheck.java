import java.util.Random;

/**
 * Compares the walker with ART's own stack: args[0] times in native code at random stacks, then as often with
 * this thread stopped at a safepoint wherever it happens to be. Prints the counts; ends with 1 on a difference.
 */
public class OracleCheck {
  private static final Random RANDOM = new Random(11);
  private static volatile boolean done;
  private static volatile int sink;

  OracleCheck() {}

  private static native void bind();

  static native boolean open(String release);

  static native int compareHere();

  static native int through(int depth);

  static native int compareSuspended();

  static native String firstDifference();

  private interface Step {
    int go(int depth);
  }

  private static final Step[] STEPS = {
    OracleCheck::descend,
    OracleCheck::through,
    OracleCheck::caught,
    depth -> locked(depth),
    new Step() {
      @Override
      public int go(int depth) {
        return descend(depth);
      }
    },
  };

  public static void main(String[] args) throws InterruptedException {
    int wanted = Integer.parseInt(args[0]);
    System.load(args[1]);
    bind();
    if (!open(args[2])) {
      System.exit(2);
    }
    int different = 0;
    for (int i = 0; i < wanted; i++) {
      different += descend(RANDOM.nextInt(60));
      if (i % 500 == 0) {
        System.gc();
      }
    }
    System.out.println("native " + wanted + " different " + different);
    int[] suspended = new int[3];
    Thread watcher = new Thread(() -> watch(wanted, suspended), "watcher");
    watcher.start();
    while (!done) {
      sink += work(RANDOM.nextInt(20));
    }
    watcher.join();
    System.out.println(
        "safepoint " + (wanted - suspended[2]) + " different " + suspended[1] + " missed " + suspended[2]);
    if (different + suspended[1] > 0) {
      System.out.println(firstDifference());
      System.exit(1);
    }
  }

  private static void watch(int wanted, int[] results) {
    for (int i = 0; i < wanted; i++) {
      results[compareSuspended()]++;
    }
    done = true;
  }

  static int descend(int depth) {
    return depth <= 0 ? compareHere() : STEPS[RANDOM.nextInt(STEPS.length)].go(depth - 1);
  }

  private static int caught(int depth) {
    try {
      if ((depth & 1) == 0) {
        throw new IllegalStateException("even");
      }
      return descend(depth);
    } catch (IllegalStateException e) {
      return descend(depth);
    }
  }

  private static synchronized int locked(int depth) {
    return descend(depth);
  }

  private static int work(int depth) {
    if (depth == 0) {
      return new StringBuilder().append(RANDOM.nextInt()).append('x').toString().hashCode();
    }
    return work(depth - 1) + Integer.toString(depth).length();
  }
}
