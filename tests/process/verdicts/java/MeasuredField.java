// SPDX-License-Identifier: Apache-2.0
import android.app.QueuedWork;
import android.os.Looper;
import android.os.MessageQueue;
import androidx.lifecycle.LiveData;
import io.reactivex.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Typical loads on an application's main thread, in the shapes that libraries give them. */
final class MeasuredField {
  private MeasuredField() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("prefs-apply", () -> Measured.post(new StopActivity()));
    programs.put("rx-chain", () -> Measured.post(new Subscribed()));
    programs.put("live-data-storm", () -> Measured.post(new Storm()));
    programs.put("two-providers", MeasuredField::start);
    programs.put("notified-then-blocked", () -> Measured.post(new Notified()));
    programs.put("pool-of-owners", () -> Measured.post(new PoolOfOwners()));
    programs.put("idle-handler-blocked", MeasuredField::idleBlocked);
    programs.put("barrier-removed", MeasuredField::barrierRemoved);
    programs.put("coroutines", () -> Measured.post(new Resume(120)));
    programs.put("parse-in-bursts", () -> Measured.post(new Bursts()));
  }

  static final class StopActivity implements Runnable {
    private final CountDownLatch written = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread(
          "queued-work-loo",
          () -> {
            Verdicts.sleep(1_300);
            written.countDown();
          });
      MeasuredWaits.compute("save", 300);
      Ledger.begin("apply");
      QueuedWork.waitToFinish(written);
      Ledger.end("apply");
      Measured.rest();
    }
  }

  static final class Subscribed implements Runnable {
    @Override
    public void run() {
      Flow render = Flow.to(this::render);
      Flow sort = Flow.to(this::sort);
      for (int i = 0; i < 12; i++) {
        render = i % 2 == 0 ? Flow.map(render) : Flow.filter(render);
        sort = i % 2 == 0 ? Flow.map(sort) : Flow.filter(sort);
      }
      for (int i = 0; i < 10; i++) {
        render.onNext(i);
        sort.onNext(i);
      }
      Measured.rest();
    }

    private void render(int value) {
      final long end = Ledger.begin("render", 100);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("render");
    }

    private void sort(int value) {
      final long end = Ledger.begin("sort", 50);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("sort");
    }
  }

  /** Each observer sets the next value, six deep. */
  static final class Storm implements Runnable {
    private final LiveData cart = new LiveData();

    @Override
    public void run() {
      cart.observe(this::total);
      cart.observe(this::badge);
      cart.setValue(6);
      Measured.rest();
    }

    private void total(int value) {
      final long end = Ledger.begin("total", 150);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("total");
      if (value > 0) {
        cart.setValue(value - 6);
      }
    }

    private void badge(int value) {
      final long end = Ledger.begin("badge", 400);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("badge");
    }
  }

  private static void start() {
    Measured.post();
    installMaps();
    installCrashes();
    Measured.main.postAtFrontOfQueue(Measured::rest);
  }

  private static void installMaps() {
    final long end = Ledger.begin("maps", 900);
    while (System.nanoTime() < end) {
      Measured.sink++;
    }
    Ledger.end("maps");
  }

  private static void installCrashes() {
    final long end = Ledger.begin("crashes", 600);
    while (System.nanoTime() < end) {
      Measured.sink++;
    }
    Ledger.end("crashes");
  }

  /** Told in time, but by a thread that keeps the monitor. */
  static final class Notified implements Runnable {
    private final Object model = new Object();

    @Override
    public void run() {
      Measured.thread(
          "model-loader",
          () -> {
            Verdicts.sleep(500);
            synchronized (model) {
              model.notifyAll();
              Ledger.end("wait");
              Ledger.begin("blocked");
              Verdicts.sleep(900);
            }
          });
      synchronized (model) {
        Ledger.begin("wait");
        try {
          model.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e.toString());
        }
        Ledger.end("blocked");
      }
      Measured.rest();
    }
  }

  /** More owners than a dump has rows for. */
  static final class PoolOfOwners implements Runnable {
    @Override
    public void run() {
      final List<MeasuredOwners.Owner> pool = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        pool.add(new MeasuredOwners.Owner("pool-" + i));
      }
      for (MeasuredOwners.Owner owner : pool) {
        owner.enterBehind(50);
      }
      Measured.rest();
    }
  }

  static final class Flush implements MessageQueue.IdleHandler {
    private final MeasuredOwners.Owner owner = new MeasuredOwners.Owner("compactor");

    @Override
    public boolean queueIdle() {
      Measured.post();
      MeasuredWaits.compute("flush", 100);
      owner.enterBehind(900);
      MeasuredWaits.compute("flush", 500);
      Measured.main.postAtFrontOfQueue(Measured::rest);
      return false;
    }
  }

  private static void idleBlocked() {
    Looper.myQueue().addIdleHandler(new Flush());
  }

  /** Due messages are queued behind the barrier. The thread that posted it removes it after a while. */
  private static void barrierRemoved() {
    final MessageQueue queue = Looper.myQueue();
    Measured.main.post(() -> Measured.sink++);
    Measured.thread(
        "animator",
        () -> {
          Verdicts.sleep(100);
          final int token = queue.postSyncBarrier();
          Measured.main.postDelayed(Measured::rest, 0);
          Measured.post();
          Ledger.begin("barrier");
          Verdicts.sleep(1_500);
          Ledger.end("barrier");
          queue.removeSyncBarrier(token);
        });
  }

  /** A continuation at a time, each posted by the last. */
  static final class Resume implements Runnable {
    private final int left;

    Resume(int left) {
      this.left = left;
    }

    @Override
    public void run() {
      MeasuredWaits.compute("resume", 11);
      if (left > 0) {
        Measured.main.postAtFrontOfQueue(new Resume(left - 1));
      } else {
        Measured.main.postAtFrontOfQueue(Measured::rest);
      }
    }
  }

  /** Alternates between parsing and binding, a few milliseconds each. */
  static final class Bursts implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 40; i++) {
        parse();
        bind();
      }
      Measured.rest();
    }

    private void parse() {
      final long end = Ledger.begin("parse", 25);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("parse");
    }

    private void bind() {
      final long end = Ledger.begin("bind", 12);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("bind");
    }
  }
}
