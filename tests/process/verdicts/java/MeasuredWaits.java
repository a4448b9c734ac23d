// SPDX-License-Identifier: Apache-2.0
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;

/** Messages that wait for a known time, and compute for another. */
final class MeasuredWaits {
  private static volatile boolean isFilling;

  private MeasuredWaits() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("work-lock-sleep", () -> Measured.post(new WorkLockSleep()));
    programs.put("lock-in-turn", () -> Measured.post(new LockInTurn()));
    programs.put("object-wait", () -> Measured.post(new ObjectWait()));
    programs.put("thread-join", () -> Measured.post(new ThreadJoin()));
    programs.put("future-get", () -> Measured.post(new FutureGet()));
    programs.put("latch-then-work", () -> Measured.post(new LatchThenWork()));
    programs.put("reentrant-then-work", () -> Measured.post(new ReentrantThenWork()));
    programs.put("read-then-work", () -> Measured.post(new ReadThenWork()));
    programs.put("binder-then-work", () -> Measured.post(new BinderThenWork()));
    programs.put("slices", () -> Measured.post(new Slices()));
    programs.put("class-init-elsewhere", () -> Measured.post(new InitializedElsewhere()));
  }

  static void compute(String part, long ms) {
    final long end = Ledger.begin(part, ms);
    while (System.nanoTime() < end) {
      Measured.sink++;
    }
    Ledger.end(part);
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e.toString());
    }
  }

  static final class WorkLockSleep implements Runnable {
    private final Object store = new Object();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread("db-writer", this::write);
      await(held);
      compute("work", 1_200);
      Ledger.begin("lock");
      synchronized (store) {
        Measured.sink++;
      }
      Ledger.end("lock");
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void write() {
      synchronized (store) {
        held.countDown();
        Verdicts.sleep(1_800);
      }
    }
  }

  /** Its owner waits for another thread. */
  static final class LockInTurn implements Runnable {
    private final Object cache = new Object();
    private final Object disk = new Object();
    private final CountDownLatch held = new CountDownLatch(2);

    @Override
    public void run() {
      Measured.thread("disk-writer", this::holdDisk);
      Measured.thread("cache-loader", this::holdCache);
      await(held);
      compute("work", 500);
      Ledger.begin("lock");
      Measured.ready();
      synchronized (cache) {
        Measured.sink++;
      }
      Ledger.end("lock");
    }

    private void holdDisk() {
      synchronized (disk) {
        held.countDown();
        Verdicts.sleep(Measured.HOLD_MS);
      }
    }

    private void holdCache() {
      synchronized (cache) {
        held.countDown();
        await(held);
        synchronized (disk) {
          Measured.sink++;
        }
      }
    }
  }

  static final class ObjectWait implements Runnable {
    private boolean isDone;

    @Override
    public void run() {
      compute("work", 600);
      Measured.thread("notifier", this::finish);
      Ledger.begin("wait");
      synchronized (this) {
        while (!isDone) {
          try {
            wait();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e.toString());
          }
        }
      }
      Ledger.end("wait");
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void finish() {
      Verdicts.sleep(900);
      synchronized (this) {
        isDone = true;
        notifyAll();
      }
    }
  }

  static final class ThreadJoin implements Runnable {
    @Override
    public void run() {
      final Thread migration = new Thread(() -> Verdicts.sleep(900), "migration");
      migration.start();
      Ledger.begin("wait");
      try {
        migration.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
      Ledger.end("wait");
      Measured.ready();
      compute("work", Measured.HOLD_MS);
    }
  }

  static final class FutureGet implements Runnable {
    private final FutureTask<String> token = new FutureTask<>(this::fetch);

    @Override
    public void run() {
      compute("work", 500);
      Measured.thread("fetcher", token);
      Ledger.begin("wait");
      try {
        Measured.sink += token.get().length();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e.toString());
      }
      Ledger.end("wait");
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private String fetch() {
      Verdicts.sleep(1_000);
      return "";
    }
  }

  static final class LatchThenWork implements Runnable {
    private final CountDownLatch loaded = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread("loader", this::load);
      Ledger.begin("wait");
      await(loaded);
      Ledger.end("wait");
      Measured.ready();
      compute("work", Measured.HOLD_MS);
    }

    private void load() {
      Verdicts.sleep(1_000);
      loaded.countDown();
    }
  }

  static final class ReentrantThenWork implements Runnable {
    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread("indexer", this::index);
      await(held);
      Ledger.begin("wait");
      lock.lock();
      lock.unlock();
      Ledger.end("wait");
      Measured.ready();
      compute("work", Measured.HOLD_MS);
    }

    private void index() {
      lock.lock();
      held.countDown();
      Verdicts.sleep(1_000);
      lock.unlock();
    }
  }

  /** Writes into the pipe after so long. */
  private static void answerAfter(long ms) {
    Measured.thread(
        "server",
        () -> {
          Verdicts.sleep(ms);
          try (FileOutputStream answer = new FileOutputStream(Measured.pipe)) {
            answer.write(1);
          } catch (IOException e) {
            throw new IllegalStateException(e.toString());
          }
        });
  }

  static final class ReadThenWork implements Runnable {
    @Override
    public void run() {
      answerAfter(1_000);
      Ledger.begin("read");
      try (FileInputStream file = new FileInputStream(Measured.pipe)) {
        Measured.sink += file.read();
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
      Ledger.end("read");
      Measured.ready();
      compute("work", Measured.HOLD_MS);
    }
  }

  static final class BinderThenWork implements Runnable {
    @Override
    public void run() {
      answerAfter(1_000);
      Ledger.begin("binder");
      Peer.of(Measured.pipe).transact(1, null, null, 0);
      Ledger.end("binder");
      Measured.ready();
      compute("work", Measured.HOLD_MS);
    }
  }

  /** Shorter than an interval, in turn. */
  static final class Slices implements Runnable {
    @Override
    public void run() {
      for (int i = 0; ; i++) {
        compute("work", 7);
        Measured.sleep("sleep", 6);
        if (i == 130) {
          Measured.ready();
        }
      }
    }
  }

  static final class Tables {
    static final long ROWS = fill();

    private Tables() {}

    private static long fill() {
      isFilling = true;
      Verdicts.sleep(1_200);
      return System.nanoTime();
    }
  }

  /** For another thread that is in a class's initializer. */
  static final class InitializedElsewhere implements Runnable {
    @Override
    public void run() {
      Measured.thread("warmer", () -> Measured.sink += Tables.ROWS);
      while (!isFilling) {
        compute("work", 200);
      }
      Ledger.begin("init");
      Measured.sink += Tables.ROWS;
      Ledger.end("init");
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }
  }
}
