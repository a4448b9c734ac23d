// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import fixture.scenario.TapInForce;

/**
 * A program that does to its signals and threads what args[1] says. Its messages burn 700 ms of
 * CPU time each.
 */
public class Neighbours {
  private static final long BURN_MS = 700;
  private static volatile long sink;
  private static Handler handler;

  static native int ticks();

  static native void install(boolean handsOn, boolean withTimer);

  static native void reset();

  static native void block(boolean block);

  static native void takeFaults();

  static native int fork();

  static native void endThread();

  static native void destroyVmAtExit();

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    if (args[1].equals("destroy")) {
      Looper.prepare(); // the main looper would not quit
    } else {
      Looper.prepareMainLooper();
    }
    handler = new Handler();
    if (!args[1].equals("destroy")) {
      TapInForce.await(10_000);
    }
    handler.post(() -> act(args[1]));
    handler.post(args[1].equals("destroy") ? Looper.myLooper()::quit : Neighbours::end);
    Looper.loop();
  }

  private static void end() {
    System.out.println("ticks " + ticks());
    System.out.println("ended");
    System.exit(0);
  }

  private static void act(String what) {
    burn();
    switch (what) {
      case "nothing":
        break;
      case "handler":
        install(false, true);
        break;
      case "chained":
        install(true, true);
        break;
      case "reset":
        reset();
        // No CPU time is used and so no signal comes before the profiler looks at the handlers.
        Pauses.sleep(200);
        break;
      case "block":
        block(true);
        handler.postAtFrontOfQueue(Neighbours::unblocked);
        break;
      case "faults":
        takeFaults();
        break;
      case "fork":
        System.out.println("child " + fork());
        break;
      case "destroy":
        destroyVmAtExit();
        break;
      case "die":
        new Thread(Neighbours::survive, "survivor").start();
        endThread();
        break;
      default:
        throw new IllegalArgumentException(what);
    }
    handler.postAtFrontOfQueue(Neighbours::burnAfter);
  }

  /** All of its time is in this method, and in nothing else. */
  private static void burn() {
    long end = SystemClock.currentThreadTimeMillis() + BURN_MS;
    while (SystemClock.currentThreadTimeMillis() < end) {
      for (int i = 0; i < 1000; i++) {
        sink++;
      }
    }
  }

  private static void burnAfter() {
    burn();
  }

  private static void unblocked() {
    block(false);
    burn();
  }

  private static void survive() {
    Pauses.sleep(2500);
    for (int i = 0; i < 3; i++) {
      Runtime.getRuntime().gc();
    }
    System.out.println("survived");
    System.exit(0);
  }
}
