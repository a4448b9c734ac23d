// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import fixture.scenario.TapInForce;

/**
 * One message that spends known times in known methods; prints how long each really took and the
 * message's CPU time in milliseconds.
 */
public class Shares {
  private static final Object LOCK = new Object();
  private static volatile long sink;

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    TapInForce.await(10_000);
    Handler handler = new Handler();
    handler.post(Shares::message);
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void message() {
    long cpuMs = SystemClock.currentThreadTimeMillis();
    for (int round = 0; round < 3; round++) {
      timed("burn", 400, Shares::burn);
      timed("sleep", 200, Shares::sleep);
      timed("waitTimed", 300, Shares::waitTimed);
      timed("allocate", 100, Shares::allocate);
    }
    System.out.println("cpu " + (SystemClock.currentThreadTimeMillis() - cpuMs));
  }

  private interface Work {
    void run(long ms) throws InterruptedException;
  }

  private static void timed(String name, long ms, Work work) {
    long start = System.nanoTime();
    try {
      work.run(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    System.out.println("took " + name + " " + (System.nanoTime() - start) / 1000);
  }

  private static void burn(long ms) {
    long end = System.nanoTime() + ms * 1000000;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 100; i++) {
        sink += i;
      }
    }
  }

  private static void sleep(long ms) throws InterruptedException {
    Thread.sleep(ms);
  }

  private static void waitTimed(long ms) throws InterruptedException {
    synchronized (LOCK) {
      LOCK.wait(ms);
    }
  }

  private static void allocate(long ms) {
    long end = System.nanoTime() + ms * 1000000;
    while (System.nanoTime() < end) {
      sink += new byte[1000].length;
    }
  }
}
