// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import fixture.scenario.TapInForce;
import java.util.HashMap;
import java.util.Map;

/**
 * Programs whose measurements, written to args[1], give the time of each contributor. args[0] is the program's name,
 * args[2] a pipe that the program itself writes to. A message is due from the start.
 */
public final class Measured {
  /** As long as what was begun last may take; the process is ended before. */
  static final long HOLD_MS = 60_000;

  static volatile long sink;
  static Handler main;
  static String pipe;
  private static final Map<String, Runnable> PROGRAMS = new HashMap<>();

  private Measured() {}

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    main = new Handler();
    pipe = args[2];
    MeasuredWork.addTo(PROGRAMS);
    MeasuredWaits.addTo(PROGRAMS);
    MeasuredLoop.addTo(PROGRAMS);
    MeasuredTraps.addTo(PROGRAMS);
    MeasuredOwners.addTo(PROGRAMS);
    MeasuredField.addTo(PROGRAMS);
    MeasuredShapes.addTo(PROGRAMS);
    MeasuredTurns.addTo(PROGRAMS);
    MeasuredTold.addTo(PROGRAMS);
    TapInForce.await(60_000);
    Ledger.writeTo(args[1]);
    PROGRAMS.get(args[0]).run();
    Looper.loop();
  }

  /** The message, which is due at once, and one behind it. */
  static void post(Runnable... messages) {
    for (Runnable message : messages) {
      main.post(message);
    }
    main.post(new Verdicts.Click());
  }

  static void ready() {
    System.out.println("ready");
  }

  static long endNs(long ms) {
    return System.nanoTime() + ms * 1_000_000;
  }

  /** As a part of its own. */
  static void sleep(String part, long ms) {
    Ledger.begin(part);
    Verdicts.sleep(ms);
    Ledger.end(part);
  }

  /** Follows all measured parts. */
  static void rest() {
    ready();
    sleep("rest", HOLD_MS);
  }

  static void thread(String name, Runnable work) {
    final Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
