// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.File;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs threads while dumps are taken, until the file args[0] exists. args[1] threads are blocked most of the time, in
 * the first args[3] of six ways; args[2] run. Then prints how many sleeps there were, and how many ended early.
 */
public class ThreadStacks {
  private static final long WAIT_MS = 300;

  private static final Object LOCK = new Object();
  private static final AtomicInteger SLEEPS = new AtomicInteger();
  private static final AtomicInteger EARLY = new AtomicInteger();
  private static int ways;
  private static volatile boolean isOver;
  private static volatile long sink;

  public static void main(String[] args) {
    final int standing = Integer.parseInt(args[1]);
    final int running = Integer.parseInt(args[2]);
    ways = Integer.parseInt(args[3]);
    for (int i = 0; i < standing; i++) {
      final int kind = i;
      start("standing-" + i, () -> deeper(kind % 17, kind));
    }
    for (int i = 0; i < running; i++) {
      start("running-" + i, () -> compute(8));
    }
    start("end", () -> awaitFile(new File(args[0])));
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(ThreadStacks::hang);
    Looper.loop();
  }

  private static void start(String name, Runnable work) {
    final Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** One message, which mostly waits. */
  private static void hang() {
    System.out.println("ready");
    while (!isOver) {
      Pauses.sleep(10);
    }
    System.out.println(SLEEPS.get() + " " + EARLY.get());
    System.exit(0);
  }

  private static void deeper(int depth, int kind) {
    if (depth > 0) {
      deeper(depth - 1, kind);
      return;
    }
    while (!isOver) {
      standStill(kind % ways);
    }
  }

  private static void standStill(int kind) {
    switch (kind) {
      case 0:
        waitFor(new Object(), WAIT_MS);
        break;
      case 1:
        Pauses.sleep(WAIT_MS);
        break;
      case 2:
        LockSupport.parkNanos(LOCK, WAIT_MS * 1000000);
        break;
      case 3:
        enter();
        break;
      case 4:
        waitFor(new Object(), 7);
        spin(1);
        break;
      default:
        Pauses.sleep(3);
        break;
    }
  }

  private static void waitFor(Object object, long ms) {
    final long begin = System.nanoTime();
    synchronized (object) {
      try {
        object.wait(ms);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    SLEEPS.incrementAndGet();
    if (System.nanoTime() - begin < ms * 1000000 - 500000) {
      EARLY.incrementAndGet();
    }
  }

  private static void enter() {
    synchronized (LOCK) {
      Pauses.sleep(20);
    }
  }

  private static void spin(long ms) {
    final long end = System.nanoTime() + ms * 1000000;
    while (System.nanoTime() < end) {
      sink++;
    }
  }

  private static void compute(int depth) {
    if (depth > 0) {
      compute(depth - 1);
      return;
    }
    while (!isOver) {
      spin(50);
    }
  }

  private static void awaitFile(File told) {
    while (!told.exists()) {
      Pauses.sleep(20);
    }
    isOver = true;
  }
}
