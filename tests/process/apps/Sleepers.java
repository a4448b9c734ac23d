// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Sleeps args[1] times 300 ms in each possible way, one message per way. Prints for each its real time in us, errno,
 * and how long its threads waited for a CPU.
 */
public class Sleepers {
  private static final long MS = 300;
  private static final Object LOCK = new Object();
  private static int repetitions;
  private static volatile boolean held;
  private static volatile long holderWaited;
  private static volatile long sink;

  private interface Way {
    int sleep() throws InterruptedException;
  }

  static native int nanosleep(long ms);

  static native int read(long ms);

  static native int poll(long ms);

  static native long runQueueWaitNs();

  public static void main(String[] args) {
    System.load(args[0]);
    repetitions = Integer.parseInt(args[1]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(() -> repeat("objectWait", Sleepers::objectWait));
    handler.post(() -> repeat("threadSleep", Sleepers::threadSleep));
    handler.post(() -> repeat("nativeSleep", Sleepers::nativeSleep));
    handler.post(() -> repeat("nativeRead", Sleepers::nativeRead));
    handler.post(() -> repeat("nativePoll", Sleepers::nativePoll));
    handler.post(() -> repeat("monitor", Sleepers::monitor));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void repeat(String name, Way way) {
    long begin = System.nanoTime();
    for (int i = 0; i < repetitions; i++) {
      spin(10);
      try {
        slept(name, way);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    System.out.println("message " + name + " " + (System.nanoTime() - begin) / 1000);
  }

  private static void slept(String name, Way way) throws InterruptedException {
    Thread holder = null;
    if (name.equals("monitor")) {
      holder = holdLock();
    }
    long waited = -runQueueWaitNs();
    long begin = System.nanoTime();
    int error = way.sleep();
    long took = System.nanoTime() - begin;
    waited += runQueueWaitNs();
    if (holder != null) {
      holder.join();
      waited += holderWaited;
    }
    System.out.println("slept " + name + " " + took / 1000 + " " + error + " " + waited / 1000);
  }

  /** So that the sampling timer runs when the sleep begins. */
  private static void spin(long ms) {
    long end = System.nanoTime() + ms * 1000000;
    while (System.nanoTime() < end) {
      sink++;
    }
  }

  private static int objectWait() throws InterruptedException {
    synchronized (LOCK) {
      LOCK.wait(MS);
    }
    return 0;
  }

  private static int threadSleep() throws InterruptedException {
    Thread.sleep(MS);
    return 0;
  }

  private static int nativeSleep() {
    return nanosleep(MS);
  }

  private static int nativeRead() {
    return read(MS);
  }

  private static int nativePoll() {
    return poll(MS);
  }

  private static int monitor() {
    synchronized (LOCK) {
      return 0;
    }
  }

  /** Returns once another thread holds the lock, which it does for the time of one sleep. */
  private static Thread holdLock() {
    held = false;
    Thread holder = new Thread(Sleepers::hold, "holder");
    holder.start();
    while (!held) {
      Thread.yield();
    }
    return holder;
  }

  private static void hold() {
    long waited = -runQueueWaitNs();
    synchronized (LOCK) {
      held = true;
      nanosleep(MS);
    }
    holderWaited = waited + runQueueWaitNs();
  }
}
