// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import fixture.scenario.TapInForce;

/**
 * A program in which a crash reporter starts. One message starts the reporters, the next uses CPU time. args:
 *
 * <ul>
 * <li>the library of natives
 * <li>the reporters, separated by commas
 * <li>their start: "before", "after", "twice", "removed", "none", or "front" (after, with the signal chain in front)
 * <li>the end of the program: "exit", or a crash of reporters.cc
 * </ul>
 */
public class Reporters {
  private static final long START_MS = 80;
  private static final long BURN_MS = 450;
  private static volatile long sink;

  static native void install(String name);

  static native void remove(String name);

  static native void ensureFrontOfChain();

  static native void crash(String how);

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    if (args[4].equals("profiled")) {
      TapInForce.await(10_000);
    }
    handler.post(() -> start(args[1].split(","), args[2]));
    if (args[3].equals("exit")) {
      handler.post(Reporters::burn);
    }
    handler.post(() -> end(args[3]));
    Looper.loop();
  }

  private static void start(String[] names, String when) {
    use(START_MS);
    if (when.equals("before") || when.equals("none")) {
      return;
    }
    for (String name : names) {
      install(name);
    }
    use(START_MS);
    if (when.equals("after")) {
      return;
    }
    if (when.equals("front")) {
      ensureFrontOfChain();
      use(START_MS);
      return;
    }
    for (int i = names.length; i-- > 0; ) {
      remove(names[i]);
    }
    use(START_MS);
    if (when.equals("removed")) {
      return;
    }
    for (String name : names) {
      install(name);
    }
    use(START_MS);
  }

  private static void burn() {
    use(BURN_MS);
  }

  private static void end(String how) {
    if (how.equals("exit")) {
      System.exit(0);
    }
    crash(how);
  }

  private static void use(long ms) {
    long end = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < end) {
      for (int i = 0; i < 1000; i++) {
        sink++;
      }
    }
  }
}
