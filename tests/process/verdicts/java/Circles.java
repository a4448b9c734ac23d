// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Messages that wait for threads that wait for the main thread. */
final class Circles {
  private Circles() {}

  /** The message of this state; null when there is none. */
  static Runnable messageOf(String state) {
    switch (state) {
      case "class-init-circle":
        return new ClassInitCircle();
      case "class-init":
        return new ClassInit();
      case "class-notified":
        return new ClassNotified();
      case "timed-circle":
        return new TimedCircle();
      case "posted-circle":
        return new PostedCircle();
      default:
        return null;
    }
  }

  /** Each of two classes wants the other one, on two threads. */
  static final class ClassInitCircle implements Runnable {
    static final CountDownLatch BEGUN = new CountDownLatch(2);

    @Override
    public void run() {
      Waits.start(ClassInitCircle::load, "preloader");
      Verdicts.sink += Catalog.items();
    }

    private static void load() {
      Verdicts.sink += Prices.first();
    }

    static void begin() {
      BEGUN.countDown();
      Waits.await(BEGUN);
    }
  }

  static final class Catalog {
    private static final int ITEMS = count();

    static int items() {
      return ITEMS;
    }

    private static int count() {
      ClassInitCircle.begin();
      Verdicts.ready();
      return Prices.first() + 1;
    }
  }

  static final class Prices {
    private static final int FIRST = find();

    static int first() {
      return FIRST;
    }

    private static int find() {
      ClassInitCircle.begin();
      return Catalog.items() + 1;
    }
  }

  /** Another thread takes long to initialize a class. */
  static final class ClassInit implements Runnable {
    static final CountDownLatch BEGUN = new CountDownLatch(1);

    @Override
    public void run() {
      Waits.start(() -> Verdicts.sink += Fonts.count(), "font-loader");
      Waits.await(BEGUN);
      Verdicts.ready();
      Verdicts.sink += Fonts.count();
    }
  }

  static final class Fonts {
    private static final int COUNT = load();

    static int count() {
      return COUNT;
    }

    private static int load() {
      ClassInit.BEGUN.countDown();
      Verdicts.sleep(Verdicts.HOLD_MS);
      return 1;
    }
  }

  /**
   * Waits at a class that another thread has initialized: for a notification, and for no thread.
   */
  static final class ClassNotified implements Runnable {
    @Override
    public void run() {
      final CountDownLatch done = new CountDownLatch(1);
      Waits.start(() -> {
        Verdicts.sink += Settings.VALUE.length();
        done.countDown();
        Verdicts.sleep(Verdicts.HOLD_MS);
      }, "settings-loader");
      Waits.await(done);
      Verdicts.ready();
      synchronized (Settings.class) {
        try {
          Settings.class.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e.toString());
        }
      }
    }
  }

  static final class Settings { static final String VALUE = String.valueOf(System.nanoTime()); }

  /** The owner of the monitor tries to take the main thread's lock, with a time-out. */
  static final class TimedCircle implements Runnable {
    private final Object store = new Object();
    private final ReentrantLock session = new ReentrantLock();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      session.lock();
      Waits.start(this::sync, "syncer");
      Waits.await(held);
      Verdicts.ready();
      save();
    }

    private void save() {
      synchronized (store) {
        Verdicts.sink++;
      }
    }

    private void sync() {
      synchronized (store) {
        held.countDown();
        try {
          Verdicts.sink += session.tryLock(Verdicts.HOLD_MS, TimeUnit.MILLISECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e.toString());
        }
      }
    }
  }

  /** The owner of the monitor waits for a message that it posted to the main thread. */
  static final class PostedCircle implements Runnable {
    private final Object store = new Object();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      Waits.start(new Exporter(), "exporter");
      Waits.await(held);
      Verdicts.sleep(100);
      Verdicts.ready();
      synchronized (store) {
        Verdicts.sink++;
      }
    }

    final class Exporter implements Runnable {
      private final CountDownLatch shown = new CountDownLatch(1);

      @Override
      public void run() {
        synchronized (store) {
          held.countDown();
          Verdicts.main.post(new Progress(shown));
          try {
            shown.await(Verdicts.HOLD_MS, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e.toString());
          }
        }
      }
    }

    static final class Progress implements Runnable {
      private final CountDownLatch shown;

      Progress(CountDownLatch shown) {
        this.shown = shown;
      }

      @Override
      public void run() {
        shown.countDown();
      }
    }
  }
}
