// SPDX-License-Identifier: Apache-2.0
import android.os.Looper;
import android.os.MessageQueue;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Several in sequence: owners of locks, idle handlers. */
final class MeasuredOwners {
  private MeasuredOwners() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("two-owners", () -> Measured.post(new TwoOwners()));
    programs.put("ended-owners", () -> Measured.post(new EndedOwners(), new Rest()));
    programs.put("owners-late", () -> Measured.main.post(new LateOwners()));
    programs.put("owners-many-turns", () -> Measured.post(new ManyTurns()));
    programs.put("idle-handlers", MeasuredOwners::idleHandlers);
    programs.put("idle-handler-runs", MeasuredOwners::idleHandlerRuns);
  }

  /** A thread that has locks. */
  static final class Owner {
    private final String name;
    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    Owner(String name) {
      this.name = name;
      Measured.thread(name, this::work);
    }

    private void work() {
      try {
        while (true) {
          tasks.take().run();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    /** Waits for a lock that it has already, and keeps for that long from now on. */
    void enterBehind(long ms) {
      final Object lock = new Object();
      final CountDownLatch held = new CountDownLatch(1);
      final CountDownLatch go = new CountDownLatch(1);
      tasks.add(
          () -> {
            synchronized (lock) {
              held.countDown();
              MeasuredWaits.await(go);
              Verdicts.sleep(ms);
            }
          });
      MeasuredWaits.await(held);
      Ledger.begin(name);
      go.countDown();
      synchronized (lock) {
        Measured.sink++;
      }
      Ledger.end(name);
    }
  }

  static final class Rest implements Runnable {
    @Override
    public void run() {
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  static final class TwoOwners implements Runnable {
    private final Owner archiver = new Owner("archiver");
    private final Owner scaler = new Owner("scaler");

    @Override
    public void run() {
      archiver.enterBehind(1_200);
      scaler.enterBehind(800);
      archiver.enterBehind(300);
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  static final class EndedOwners implements Runnable {
    private final Owner archiver = new Owner("archiver");
    private final Owner scaler = new Owner("scaler");

    @Override
    public void run() {
      archiver.enterBehind(900);
      scaler.enterBehind(700);
    }
  }

  /** The waiting messages are due only since the second owner. */
  static final class LateOwners implements Runnable {
    private final Owner archiver = new Owner("archiver");
    private final Owner scaler = new Owner("scaler");

    @Override
    public void run() {
      archiver.enterBehind(1_200);
      Measured.post();
      scaler.enterBehind(600);
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  /** More turns than a dump has rows for. */
  static final class ManyTurns implements Runnable {
    private final Owner archiver = new Owner("archiver");
    private final Owner scaler = new Owner("scaler");

    @Override
    public void run() {
      for (int i = 0; i < 25; i++) {
        archiver.enterBehind(30);
        scaler.enterBehind(60);
      }
      Measured.ready();
      Measured.sleep("rest", Measured.HOLD_MS);
    }
  }

  static final class Fonts implements MessageQueue.IdleHandler {
    @Override
    public boolean queueIdle() {
      MeasuredWaits.compute("fonts", 900);
      return false;
    }
  }

  static final class Shaders implements MessageQueue.IdleHandler {
    @Override
    public boolean queueIdle() {
      MeasuredWaits.compute("shaders", 600);
      Measured.main.postAtFrontOfQueue(new Rest());
      return false;
    }
  }

  static final class Cookies implements MessageQueue.IdleHandler {
    @Override
    public boolean queueIdle() {
      Measured.ready();
      MeasuredWaits.compute("cookies", Measured.HOLD_MS);
      return false;
    }
  }

  /** The first of them posts what waits. */
  private static boolean begin() {
    Measured.post();
    return false;
  }

  private static void idleHandlers() {
    Looper.myQueue().addIdleHandler(MeasuredOwners::begin);
    Looper.myQueue().addIdleHandler(new Fonts());
    Looper.myQueue().addIdleHandler(new Shaders());
  }

  private static void idleHandlerRuns() {
    Looper.myQueue().addIdleHandler(MeasuredOwners::begin);
    Looper.myQueue().addIdleHandler(new Fonts());
    Looper.myQueue().addIdleHandler(new Cookies());
  }
}
