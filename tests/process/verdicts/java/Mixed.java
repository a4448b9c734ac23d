// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.SystemClock;

/** States with more than one cause to report. */
final class Mixed {
  private Mixed() {}

  /** Three kinds, none of which is most of them. */
  static void flood(Handler main) {
    for (int i = 0; i < 1_000; i++) {
      main.post(new Verdicts.Progress());
      main.post(new Blink());
      main.post(new Move());
    }
    Verdicts.sleep(1_500);
    Verdicts.ready();
  }

  static final class Blink implements Runnable {
    @Override
    public void run() {
      Verdicts.sleep(5);
    }
  }

  static final class Move implements Runnable {
    @Override
    public void run() {
      Verdicts.sleep(5);
    }
  }

  /** Computes for as long as it sleeps. */
  static final class Half implements Runnable {
    @Override
    public void run() {
      Verdicts.ready();
      final long end = SystemClock.uptimeMillis() + Verdicts.HOLD_MS;
      while (SystemClock.uptimeMillis() < end) {
        final long begin = SystemClock.uptimeMillis();
        nap();
        hash(SystemClock.uptimeMillis() - begin);
      }
    }

    private void nap() {
      Verdicts.sleep(100);
    }

    private void hash(long ms) {
      Verdicts.spin(ms);
    }
  }

  /** Nothing that it calls has half of its time. */
  static final class Feed implements Runnable {
    @Override
    public void run() {
      Verdicts.ready();
      refresh();
    }

    private void refresh() {
      final long end = SystemClock.uptimeMillis() + Verdicts.HOLD_MS;
      while (SystemClock.uptimeMillis() < end) {
        parse();
        sort();
        measure();
        draw();
      }
    }

    private void parse() {
      busy(40);
    }

    private void sort() {
      busy(40);
    }

    private void measure() {
      busy(40);
    }

    private void draw() {
      busy(40);
    }

    private static void busy(long ms) {
      final long end = SystemClock.uptimeMillis() + ms;
      while (SystemClock.uptimeMillis() < end) {
        Verdicts.sink++;
      }
    }
  }

  /** Calls itself over a lambda, and computes at every depth. */
  static final class Walk implements Runnable {
    @Override
    public void run() {
      Verdicts.ready();
      final long end = SystemClock.uptimeMillis() + Verdicts.HOLD_MS;
      while (SystemClock.uptimeMillis() < end) {
        walk(10);
      }
    }

    private void walk(int depth) {
      final Runnable inner =
          () -> {
            digest();
            if (depth > 0) {
              walk(depth - 1);
            }
          };
      inner.run();
    }

    private void digest() {
      Verdicts.spin(20);
    }
  }

  /** Two threads want the garbage collector, which takes one at a time. */
  static final class Collect implements Runnable {
    @Override
    public void run() {
      final Thread rival = new Thread(Collect::collect, "rival");
      rival.setDaemon(true);
      rival.start();
      Verdicts.ready();
      collect();
    }

    private static void collect() {
      final long end = SystemClock.uptimeMillis() + Verdicts.HOLD_MS;
      while (SystemClock.uptimeMillis() < end) {
        Runtime.getRuntime().gc(); // Android's System.gc() does nothing unless finalizers were run
      }
    }
  }
}
