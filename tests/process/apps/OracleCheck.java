// SPDX-License-Identifier: Apache-2.0
import dalvik.annotation.optimization.CriticalNative;
import dalvik.annotation.optimization.FastNative;
import dalvik.system.PathClassLoader;
import dalvik.system.VMDebug;
import java.io.File;
import java.lang.reflect.Proxy;
import java.util.Random;

/**
 * Compares the walker with ART's own stack: args[0] times in native code at random stacks, then as often with
 * this thread stopped at a safepoint wherever it happens to be. Prints the counts; ends with 1 on a difference.
 */
public class OracleCheck {
  private static final Random RANDOM = new Random(11);

  /** Where the stacks of {@link #compare} are taken. */
  private static final int NATIVE = 0;

  private static final int FAST_NATIVE = 1;
  private static final int CRITICAL_NATIVE = 2;
  private static final int WITH_PROXY = 3;
  private static final int TRACED = 4;
  private static final String[] PLACES = {
    "in native code", "in @FastNative", "in @CriticalNative", "with a proxy", "traced"
  };

  /** Results of a comparison. */
  private static final int DIFFERENT = 1;

  private static final int TRUNCATED = 2;

  /** By place and result. */
  private static final int[][] COUNTS = new int[PLACES.length][3];

  /** Left depths at which a proxy is called, and at which method tracing starts; 0: never. */
  private static int proxyAt;

  private static int traceAt;
  private static volatile boolean done;
  private static volatile int sink;

  /** Loaded again from an uncompiled jar, so that its entry points are the interpreter and the stub for natives. */
  public static class Probe {
    native void neverCalled();
  }

  private static native void bind();

  static native boolean open(String release, Class<?> probe);

  static native int compareHere();

  @FastNative
  static native int compareHereFast();

  @CriticalNative
  static native int compareHereCritical();

  static native void beforeCritical();

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

  private static final Step PROXY =
      (Step)
          Proxy.newProxyInstance(
              OracleCheck.class.getClassLoader(),
              new Class<?>[] {Step.class},
              (proxy, method, arguments) -> descend((Integer) arguments[0]));

  /** How many comparisons, the library, the release, and this jar, which no mode of art-run compiles under its name. */
  public static void main(String[] args) throws Exception {
    int wanted = Integer.parseInt(args[0]);
    System.load(args[1]);
    bind();
    ClassLoader uncompiled = new PathClassLoader(args[3], Object.class.getClassLoader());
    if (!open(args[2], uncompiled.loadClass("OracleCheck$Probe"))) {
      System.exit(2);
    }
    for (int i = 0; i < wanted; i++) {
      int depth = RANDOM.nextInt(60);
      proxyAt = i % 4 == 0 ? RANDOM.nextInt(depth + 1) : 0;
      descend(depth);
      if (i % 500 == 0) {
        Runtime.getRuntime().gc();
      }
    }
    proxyAt = 0;
    for (int i = 0; i < 2 + wanted / 1000; i++) {
      traceAt = 1 + RANDOM.nextInt(20);
      descend(traceAt + RANDOM.nextInt(20));
      VMDebug.stopMethodTracing();
    }
    int different = 0;
    for (int place = 0; place < PLACES.length; place++) {
      int[] counts = COUNTS[place];
      different += counts[DIFFERENT] + (place == TRACED ? 0 : counts[TRUNCATED]);
      System.out.println(
          PLACES[place] + ": " + (counts[0] + counts[DIFFERENT] + counts[TRUNCATED])
              + " truncated " + counts[TRUNCATED] + " different " + counts[DIFFERENT]);
    }
    int[] suspended = new int[4];
    Thread watcher = new Thread(() -> watch(wanted, suspended), "watcher");
    watcher.start();
    while (!done) {
      sink += work(RANDOM.nextInt(20));
    }
    watcher.join();
    System.out.println(
        "at safepoints: " + (wanted - suspended[3]) + " truncated " + suspended[TRUNCATED]
            + " different " + suspended[DIFFERENT] + " missed " + suspended[3]);
    if (different + suspended[DIFFERENT] + suspended[TRUNCATED] > 0) {
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
    if (depth <= 0) {
      return compare();
    }
    if (depth == traceAt) {
      startTracing();
    }
    return (depth == proxyAt ? PROXY : STEPS[RANDOM.nextInt(STEPS.length)]).go(depth - 1);
  }

  /** ART removes what has the file's name first, even a device. The file goes at once. */
  private static void startTracing() {
    File trace = new File("/tmp/stillframe-methods-" + System.nanoTime() + ".trace");
    VMDebug.startMethodTracing(trace.getPath(), 1 << 20, 0, false, 0);
    trace.delete();
  }

  private static int compare() {
    int way = RANDOM.nextInt(3);
    int place = traceAt > 0 ? TRACED : proxyAt > 0 ? WITH_PROXY : way;
    int result =
        way == NATIVE
            ? compareHere()
            : way == FAST_NATIVE ? compareHereFast() : compareFromCritical();
    COUNTS[place][result]++;
    return result;
  }

  /** The second call must not be far from the first. */
  private static int compareFromCritical() {
    beforeCritical();
    return compareHereCritical();
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
