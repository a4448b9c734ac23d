// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Works in messages of 120 ms, and ends after args[2] ms as args[1] says: a way of the natives in args[0], "exit", or
 * "wait" for a kill. args[3] "reporter": a crash reporter is installed after the profiler. "stopped": the profiler is
 * stopped. "child": a forked child dies. Faults that the runtime handles happen all the time. Prints the profiler's
 * state.
 */
public class Dies {
  private static volatile long sink;
  private static Handler main;

  static native void awaitProfiler();

  static native String state();

  static native int stop();

  static native void report();

  static native void haveAChildDie();

  static native void die(String how);

  public static void main(String[] args) {
    System.load(args[0]);
    awaitProfiler();
    Looper.prepareMainLooper();
    main = new Handler();
    String also = args.length > 3 ? args[3] : "";
    if (also.equals("reporter")) {
      report();
    } else if (also.equals("stopped")) {
      stop();
    } else if (also.equals("child")) {
      haveAChildDie();
    }
    System.out.println("state " + state());
    main.post(Dies::work);
    new Thread(() -> end(args[1], Integer.parseInt(args[2]))).start();
    Looper.loop();
  }

  private static void work() {
    long until = System.nanoTime() + 120000000L;
    while (System.nanoTime() < until) {
      sink++;
    }
    survive();
    main.post(Dies::work);
  }

  private static void survive() {
    try {
      sink += nothing().length();
    } catch (NullPointerException e) {
      sink++;
    }
    try {
      sink += recurse(0);
    } catch (StackOverflowError e) {
      sink++;
    }
  }

  private static String nothing() {
    return sink == Long.MIN_VALUE ? "" : null;
  }

  private static long recurse(long depth) {
    return recurse(depth + 1) + 1;
  }

  private static void end(String how, int afterMs) {
    Pauses.sleep(afterMs);
    if (how.equals("exit")) {
      main.postAtFrontOfQueue(() -> System.exit(0));
    } else if (how.equals("wait")) {
      Pauses.sleep(600000);
    } else if (how.startsWith("main ")) {
      main.postAtFrontOfQueue(() -> die(how.substring(5)));
    } else {
      die(how);
    }
  }
}
