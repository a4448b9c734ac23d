// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;

/** Messages that wait for other threads, in each possible way. */
final class Waits {
  private Waits() {}

  /** The message of this state; null when there is none. */
  static Runnable messageOf(String state) {
    switch (state) {
      case "chain":
        return new Chain();
      case "deadlock":
        return new Deadlock();
      case "reentrant":
        return new Reentrant();
      case "future":
        return new Future();
      case "join":
        return new Join();
      case "latch":
        return new Latch();
      default:
        return null;
    }
  }

  static void start(Runnable work, String name) {
    final Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e.toString());
    }
  }

  /** For the cache, whose thread waits for the disk, whose thread waits for the network's. */
  static final class Chain implements Runnable {
    private final Object cache = new Object();
    private final Object disk = new Object();
    private final Object network = new Object();
    private final CountDownLatch held = new CountDownLatch(3);

    @Override
    public void run() {
      start(() -> hold(network), "network");
      start(() -> holdAndTake(disk, network), "disk-writer");
      start(() -> holdAndTake(cache, disk), "cache-loader");
      await(held);
      Verdicts.ready();
      read();
    }

    private void read() {
      synchronized (cache) {
        Verdicts.sink++;
      }
    }

    private void holdAndTake(Object own, Object other) {
      synchronized (own) {
        held.countDown();
        await(held);
        flush(other);
      }
    }

    private void flush(Object other) {
      synchronized (other) {
        Verdicts.sink++;
      }
    }

    private void hold(Object own) {
      synchronized (own) {
        held.countDown();
        download();
      }
    }

    private void download() {
      Verdicts.sleep(Verdicts.HOLD_MS);
    }
  }

  /** Each of two threads has what the other one waits for. */
  static final class Deadlock implements Runnable {
    private final Object account = new Object();
    private final Object ledger = new Object();
    private final CountDownLatch held = new CountDownLatch(2);

    @Override
    public void run() {
      start(() -> transfer(ledger, account), "bookkeeper");
      synchronized (account) {
        held.countDown();
        await(held);
        Verdicts.ready();
        take(ledger);
      }
    }

    private void transfer(Object from, Object to) {
      synchronized (from) {
        held.countDown();
        await(held);
        take(to);
      }
    }

    private void take(Object other) {
      synchronized (other) {
        Verdicts.sink++;
      }
    }
  }

  /** Before a lock of java.util.concurrent. */
  static final class Reentrant implements Runnable {
    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      start(this::index, "indexer");
      await(held);
      Verdicts.ready();
      search();
    }

    private void search() {
      lock.lock();
      lock.unlock();
    }

    private void index() {
      lock.lock();
      held.countDown();
      Verdicts.sleep(Verdicts.HOLD_MS);
      lock.unlock();
    }
  }

  /** For the result of a task that another thread runs. */
  static final class Future implements Runnable {
    private final FutureTask<String> token = new FutureTask<>(this::fetch);

    @Override
    public void run() {
      start(token, "fetcher");
      Verdicts.sleep(200);
      Verdicts.ready();
      authorize();
    }

    private void authorize() {
      try {
        Verdicts.sink += token.get().length();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    private String fetch() {
      Verdicts.sleep(Verdicts.HOLD_MS);
      return "";
    }
  }

  /** For the end of another thread. */
  static final class Join implements Runnable {
    @Override
    public void run() {
      final Thread migration = new Thread(this::migrate, "migration");
      migration.setDaemon(true);
      migration.start();
      Verdicts.ready();
      try {
        migration.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    private void migrate() {
      Verdicts.sleep(Verdicts.HOLD_MS);
    }
  }

  /** For a latch: the thread that will count it down is unknown. */
  static final class Latch implements Runnable {
    private final CountDownLatch loaded = new CountDownLatch(1);

    @Override
    public void run() {
      start(this::load, "loader");
      Verdicts.ready();
      await(loaded);
    }

    private void load() {
      Verdicts.sleep(Verdicts.HOLD_MS);
      loaded.countDown();
    }
  }
}
