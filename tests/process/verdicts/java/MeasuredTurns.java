// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import java.util.Map;

/** Messages that look alike or come late, and what others do to the process meanwhile. */
final class MeasuredTurns {
  /** A step of the clock that no loop of its own takes. */
  private static final long STOP_NS = 60_000_000;

  private static int ticks = 160;

  private MeasuredTurns() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("codes", MeasuredTurns::codes);
    programs.put("rare-slow", () -> Measured.post(new Tick()));
    programs.put("due-midway", MeasuredTurns::dueMidway);
    programs.put("beside-barrier", () -> Measured.main.post(MeasuredTurns::besideBarrier));
    programs.put(
        "one-class",
        () -> Measured.post(new Page(0), new Page(1), new Page(2), new MeasuredOwners.Rest()));
    programs.put("woken-for-nothing", () -> Measured.post(new Woken()));
    programs.put("collects", () -> Measured.post(new Collects()));
    programs.put("collected-elsewhere", () -> Measured.post(new Trims()));
    programs.put("nested-in-idle", () -> Looper.myQueue().addIdleHandler(MeasuredTurns::nest));
    programs.put("stopped", () -> Measured.post(new Stopped()));
    programs.put("stopped-often", () -> Measured.post(new Stopped()));
  }

  /** One Handler, whose messages differ by their code alone. */
  private static void codes() {
    final Handler codes =
        new Handler() {
          @Override
          public void handleMessage(Message message) {
            MeasuredWaits.compute("code-" + message.what, message.what == 1 ? 1_000 : 500);
          }
        };
    codes.sendEmptyMessage(1);
    codes.sendEmptyMessage(2);
    Measured.post(new MeasuredOwners.Rest());
  }

  /** One of many of a class takes long. */
  static final class Tick implements Runnable {
    @Override
    public void run() {
      ticks--;
      MeasuredWaits.compute(ticks == 80 ? "slow" : "quick", ticks == 80 ? 700 : 6);
      Measured.main.postAtFrontOfQueue(ticks > 0 ? new Tick() : new MeasuredOwners.Rest());
    }
  }

  static final class First implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("first", 1_500);
    }
  }

  static final class Second implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("second", 900);
      Measured.rest();
    }
  }

  /** The waiting messages became due in the middle of the first. */
  private static void dueMidway() {
    Measured.main.post(new First());
    Measured.main.post(new Second());
    Measured.main.postDelayed(new Verdicts.Click(), 800);
  }

  /** A barrier holds back what is due, and what may pass it is to blame for a part only. */
  private static void besideBarrier() {
    Looper.myQueue().postSyncBarrier();
    Measured.post();
    Handler.createAsync(Looper.myLooper()).postDelayed(new Second(), 100);
  }

  static final class Page implements Runnable {
    private final int kind;

    Page(int kind) {
      this.kind = kind;
    }

    @Override
    public void run() {
      if (kind == 0) {
        text();
      } else if (kind == 1) {
        image();
      } else {
        Measured.sleep("fade", 500);
      }
    }

    private void text() {
      final long end = Ledger.begin("text", 600);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("text");
    }

    private void image() {
      final long end = Ledger.begin("image", 900);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("image");
    }
  }

  /** Notified again and again, before it is time. */
  static final class Woken implements Runnable {
    private boolean isDone;

    @Override
    public void run() {
      Measured.thread("chatty", this::notifyOften);
      synchronized (this) {
        while (!isDone) {
          Ledger.begin("wait");
          try {
            wait();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e.toString());
          }
          Ledger.end("wait");
          MeasuredWaits.compute("check", 5);
        }
      }
      Measured.rest();
    }

    private void notifyOften() {
      for (int i = 0; i < 90; i++) {
        Verdicts.sleep(15);
        synchronized (this) {
          isDone = i == 89;
          notifyAll();
        }
      }
    }
  }

  /** The application asks for collections. */
  static final class Collects implements Runnable {
    private final byte[][] kept = new byte[40_000][];

    @Override
    public void run() {
      for (int i = 0; i < kept.length; i++) {
        kept[i] = new byte[100];
      }
      final long end = Ledger.begin("collect", 1_200);
      while (System.nanoTime() < end) {
        trim();
      }
      Ledger.end("collect");
      Measured.rest();
    }

    private void trim() {
      Runtime.getRuntime().gc();
    }
  }

  /** Other threads collect whenever it could. */
  static final class Trims implements Runnable {
    private static final int OTHERS = 6;

    private final byte[][] kept = new byte[40_000][];
    private volatile boolean isDone;

    @Override
    public void run() {
      for (int i = 0; i < kept.length; i++) {
        kept[i] = new byte[100];
      }
      for (int i = 0; i < OTHERS; i++) {
        Measured.thread("trimmer", this::collect);
      }
      final long end = Ledger.begin("wait", 1_200);
      while (System.nanoTime() < end) {
        Runtime.getRuntime().gc();
      }
      Ledger.end("wait");
      isDone = true;
      Measured.rest();
    }

    private void collect() {
      while (!isDone) {
        Runtime.getRuntime().gc();
      }
    }
  }

  /** A loop of its own, within an idle handler. */
  private static boolean nest() {
    Measured.post();
    MeasuredWaits.compute("idle", 500);
    Measured.main.postAtFrontOfQueue(new Second());
    Looper.loop();
    return false;
  }

  /** The test stops the process for a while, once or often. */
  static final class Stopped implements Runnable {
    @Override
    public void run() {
      Measured.ready();
      Ledger.begin("work");
      long last = System.nanoTime();
      for (; ; ) {
        final long now = System.nanoTime();
        if (now - last > STOP_NS) {
          Ledger.add("stop", last, now);
        }
        last = now;
      }
    }
  }
}
