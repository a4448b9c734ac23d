// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import android.os.SystemClock;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * Brings its main thread into the state args[0], prints "ready", and stays in it for some seconds. args[1] is a pipe
 * without a writer, or a file.
 */
public final class Verdicts {
  static final int HOLD_MS = 20_000;

  private static final String NOBODY_WAITS = "quick idle flood flood-of-kinds innocents outside-later barrier";

  static volatile long sink;
  static Handler main;
  private static String pipe;

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    main = new Handler();
    pipe = args.length > 1 ? args[1] : "";
    post(args[0]);
    Looper.loop();
  }

  private static void post(String state) {
    switch (state) {
      case "compute":
        main.post(new Compute());
        break;
      case "sleep":
        main.post(new Sleeper());
        break;
      case "wait":
        main.post(new Waiter());
        break;
      case "lock":
        main.post(new CheckIn());
        break;
      case "binder":
        main.post(new Query());
        break;
      case "read":
        main.post(new Load());
        break;
      case "earlier":
        postEarlier();
        break;
      case "many":
        postMany();
        break;
      case "flood":
        new Thread(Verdicts::flood, "flooder").start();
        break;
      case "innocents":
        new Thread(Verdicts::postInnocents, "flooder").start();
        break;
      case "barrier":
        main.post(Verdicts::leakBarrier);
        break;
      case "starved":
        main.post(new Draw());
        break;
      case "frozen":
        main.post(new Compute());
        break;
      case "quick":
        main.post(new Tick(0));
        break;
      case "idle":
        main.post(Verdicts::ready);
        break;
      case "outside":
        Looper.myQueue().addIdleHandler(Verdicts::idle);
        break;
      case "third":
        main.post(new Inflate());
        main.post(new Sync());
        main.post(new Compute());
        break;
      case "flood-of-kinds":
        new Thread(() -> Mixed.flood(main), "flooder").start();
        break;
      case "outside-later":
        main.post(new Inflate());
        Looper.myQueue().addIdleHandler(Verdicts::idle);
        break;
      case "half":
        main.post(new Mixed.Half());
        break;
      case "spread":
        main.post(new Mixed.Feed());
        break;
      case "recursive":
        main.post(new Mixed.Walk());
        break;
      case "collect":
        main.post(new Mixed.Collect());
        break;
      case "thrash":
        main.post(new Scan());
        break;
      default:
        postWait(state);
    }
    if (!NOBODY_WAITS.contains(state)) {
      main.post(new Click());
    }
  }

  private static void postWait(String state) {
    Runnable message = Waits.messageOf(state);
    if (message == null) {
      message = Circles.messageOf(state);
    }
    if (message == null) {
      throw new IllegalArgumentException(state);
    }
    main.post(message);
  }

  /** Works in an idle handler: between messages, where no observer is called. */
  private static boolean idle() {
    main.post(new Click());
    ready();
    spin(HOLD_MS);
    return false;
  }

  static void ready() {
    System.out.println("ready");
  }

  static void spin(long ms) {
    final long end = SystemClock.uptimeMillis() + ms;
    while (SystemClock.uptimeMillis() < end) {
      sink++;
    }
  }

  static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e.toString());
    }
  }

  /** A user's input in the meantime; waits in the queue. */
  static final class Click implements Runnable {
    @Override
    public void run() {}
  }

  static final class Compute implements Runnable {
    @Override
    public void run() {
      ready();
      multiply();
    }

    private void multiply() {
      spin(HOLD_MS);
    }
  }

  static final class Sleeper implements Runnable {
    @Override
    public void run() {
      ready();
      sleep(HOLD_MS);
    }
  }

  static final class Waiter implements Runnable {
    @Override
    public synchronized void run() {
      ready();
      final long end = SystemClock.uptimeMillis() + HOLD_MS;
      try {
        while (SystemClock.uptimeMillis() < end) {
          wait(HOLD_MS);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
    }
  }

  /** A message that waits for a lock. */
  static final class CheckIn implements Runnable {
    private final Object store = new Object();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      new Thread(this::write, "db-writer").start();
      try {
        held.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
      ready();
      save();
    }

    private void save() {
      synchronized (store) {
        sink++;
      }
    }

    private void write() {
      synchronized (store) {
        held.countDown();
        sleep(HOLD_MS);
      }
    }
  }

  static final class Query implements Runnable {
    @Override
    public void run() {
      ready();
      Peer.of(pipe).transact(1, null, null, 0);
    }
  }

  static final class Load implements Runnable {
    @Override
    public void run() {
      ready();
      try (FileInputStream file = new FileInputStream(pipe)) {
        sink += file.read();
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
    }
  }

  /** Reads a file while memory is short. */
  static final class Scan implements Runnable {
    @Override
    public void run() {
      ready();
      final byte[] part = new byte[256 << 10];
      final long end = SystemClock.uptimeMillis() + 2 * HOLD_MS;
      while (SystemClock.uptimeMillis() < end) {
        try (FileInputStream file = new FileInputStream(pipe)) {
          while (file.read(part) > 0 && SystemClock.uptimeMillis() < end) {
            sink += part[0];
          }
        } catch (IOException e) {
          throw new IllegalStateException(e.toString());
        }
      }
    }
  }

  /** The method at the end is not the one that took the time. */
  private static void postEarlier() {
    main.post(new Inflate());
    main.post(new Sync());
    main.post(new Register());
  }

  static final class Inflate implements Runnable {
    @Override
    public void run() {
      spin(1_200);
    }
  }

  static final class Sync implements Runnable {
    @Override
    public void run() {
      sleep(900);
    }
  }

  static final class Register implements Runnable {
    @Override
    public void run() {
      ready();
      sleep(700);
    }
  }

  private static void postMany() {
    for (int i = 0; i < 12; i++) {
      main.post(new Row());
    }
    main.post(new Register());
  }

  static final class Row implements Runnable {
    @Override
    public void run() {
      sleep(180);
    }
  }

  /** Posts faster than the main thread works. */
  private static void flood() {
    for (int i = 0; i < 3_000; i++) {
      main.post(new Progress());
    }
    sleep(1_500);
    ready();
  }

  /** Short messages that take the time, and behind them others that only wait. */
  private static void postInnocents() {
    for (int i = 0; i < 400; i++) {
      main.post(i < 300 ? new Progress() : new Click());
    }
    sleep(1_400);
    ready();
  }

  static final class Progress implements Runnable {
    @Override
    public void run() {
      sleep(5);
    }
  }

  private static void leakBarrier() {
    final MessageQueue queue = Looper.myQueue();
    queue.postSyncBarrier();
    main.post(new Click());
    ready();
  }

  /** Other threads have the CPU. */
  static final class Draw implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 3; i++) {
        final Thread burner = new Thread(() -> spin(HOLD_MS), "realm-io-" + i);
        burner.setDaemon(true);
        burner.start();
      }
      ready();
      spin(HOLD_MS);
    }
  }

  static final class Tick implements Runnable {
    private final int count;

    Tick(int count) {
      this.count = count;
    }

    @Override
    public void run() {
      if (count == 30) {
        ready();
      }
      main.postDelayed(new Tick(count + 1), 5);
    }
  }
}
