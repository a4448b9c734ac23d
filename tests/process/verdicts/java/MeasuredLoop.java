// SPDX-License-Identifier: Apache-2.0
import android.os.Looper;
import java.util.Map;

/** Work in sequence, in messages and outside them. */
final class MeasuredLoop {
  private MeasuredLoop() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("three-ended", () -> Measured.post(new Inflate(), new Sync(), new Bind(), new Rest()));
    programs.put("nearly-half", () -> Measured.post(new Older(), new Newer()));
    programs.put("one-target", MeasuredLoop::postQuick);
    programs.put("three-kinds", MeasuredLoop::postKinds);
    programs.put("repeated", MeasuredLoop::postRepeated);
    programs.put("idle-then-message", MeasuredLoop::idleThenMessage);
    programs.put("from-native", MeasuredLoop::fromNative);
    programs.put("before-loop", MeasuredLoop::beforeLoop);
    programs.put("before-loop-then-idle", MeasuredLoop::beforeLoopThenIdle);
    programs.put("nested", () -> Measured.post(new Dialog()));
    programs.put("everything", MeasuredLoop::everything);
    programs.put("moving", MeasuredLoop::moving);
    programs.put("moving-mixed", MeasuredLoop::movingMixed);
  }

  private static void compute(String part, long ms) {
    MeasuredWaits.compute(part, ms);
  }

  static final class Inflate implements Runnable {
    @Override
    public void run() {
      compute("inflate", 900);
    }
  }

  static final class Sync implements Runnable {
    @Override
    public void run() {
      Measured.sleep("sync", 600);
    }
  }

  static final class Bind implements Runnable {
    @Override
    public void run() {
      compute("bind", 400);
    }
  }

  static final class Rest implements Runnable {
    @Override
    public void run() {
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  /** Which of two is larger hangs on the moment of the dump. */
  static final class Older implements Runnable {
    @Override
    public void run() {
      compute("older", 1_000);
      Measured.ready();
    }
  }

  static final class Newer implements Runnable {
    @Override
    public void run() {
      compute("newer", Measured.HOLD_MS);
    }
  }

  /** Quick, each alone; one that is not posted before the last has run. */
  static class Quick implements Runnable {
    private final String part;
    private final Runnable next;
    private final int left;

    Quick(String part, int left, Runnable next) {
      this.part = part;
      this.left = left;
      this.next = next;
    }

    Quick again() {
      return new Quick(part, left - 1, next);
    }

    @Override
    public void run() {
      compute(part, 8);
      if (left > 0) {
        Measured.main.postAtFrontOfQueue(again());
      } else {
        Measured.main.postAtFrontOfQueue(next);
      }
    }
  }

  private static void postQuick() {
    Measured.post(new Quick("quick", 150, new Rest()));
  }

  static final class Blink implements Runnable {
    @Override
    public void run() {
      compute("blink", 6);
    }
  }

  static final class Move implements Runnable {
    @Override
    public void run() {
      compute("move", 9);
    }
  }

  private static void postKinds() {
    for (int i = 0; i < 60; i++) {
      Measured.main.post(new Blink());
      Measured.main.post(new Move());
    }
    Measured.post(new Rest());
  }

  static final class Row implements Runnable {
    @Override
    public void run() {
      compute("row", 170);
    }
  }

  private static void postRepeated() {
    for (int i = 0; i < 8; i++) {
      Measured.main.post(new Row());
    }
    Measured.post(new Rest());
  }

  private static boolean warm() {
    Measured.post();
    compute("idle", 900);
    Measured.main.postAtFrontOfQueue(new Rest());
    return false;
  }

  private static void idleThenMessage() {
    Looper.myQueue().addIdleHandler(MeasuredLoop::warm);
  }

  private static void fromNative() {
    Measured.main.post(() -> Measured.sink++);
    Measured.thread(
        "input",
        () -> {
          Verdicts.sleep(300);
          Looper.getMainLooper().getQueue().callFromPoll(MeasuredLoop::touch);
        });
  }

  private static void touch() {
    Measured.post();
    compute("touch", 900);
    Measured.main.postAtFrontOfQueue(new Rest());
  }

  private static void beforeLoop() {
    Measured.post();
    compute("startup", 1_000);
    Measured.main.postAtFrontOfQueue(new Rest());
  }

  private static void beforeLoopThenIdle() {
    compute("startup", 900);
    Looper.myQueue().addIdleHandler(MeasuredLoop::warmUp);
  }

  private static boolean warmUp() {
    compute("warm", 1_200);
    Measured.rest();
    return false;
  }

  /** A message with a loop of its own, in which others run. */
  static final class Dialog implements Runnable {
    @Override
    public void run() {
      compute("before", 500);
      Measured.main.postAtFrontOfQueue(new Confirm());
      Looper.loop();
    }
  }

  static final class Confirm implements Runnable {
    @Override
    public void run() {
      compute("confirm", 800);
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  /** An ended message, quick ones, one that sleeps, and what runs at the dump. */
  private static void everything() {
    Measured.main.post(new Inflate());
    Measured.main.post(new Sync());
    Measured.post(new Quick("quick", 70, new Newest()));
  }

  /** Ready from the beginning on: the dump may come at any moment of it. */
  private static void moving() {
    Measured.ready();
    Measured.post(new Inflate(), new Sync(), new Bind(), new Rest());
  }

  private static void movingMixed() {
    Measured.ready();
    everything();
  }

  static final class Newest implements Runnable {
    @Override
    public void run() {
      Measured.ready();
      compute("newest", Measured.HOLD_MS);
    }
  }
}
