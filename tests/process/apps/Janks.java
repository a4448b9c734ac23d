// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import fixture.scenario.TapInForce;
import java.io.File;

/**
 * Janks of known lengths. args: their kind, then its numbers. At the end prints for each its time and the part in
 * first(), in us.
 */
public final class Janks {
  private static volatile long sink;
  private static Handler main;
  private static final StringBuilder TIMES = new StringBuilder();

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    main = new Handler();
    TapInForce.await(60_000);
    switch (args[0]) {
      case "lengths": // each of these milliseconds
        for (int i = 1; i < args.length; i++) {
          main.post(new Jank(Integer.parseInt(args[i])));
        }
        break;
      case "told": // until the file args[1] is there, at most args[2] milliseconds; then each of these
        main.post(new LongJank(new File(args[1]), Integer.parseInt(args[2])));
        for (int i = 3; i < args.length; i++) {
          main.post(new Jank(Integer.parseInt(args[i])));
        }
        break;
      case "sleeps": // each of these milliseconds without a CPU; says when each begins and ends
        for (int i = 1; i < args.length; i++) {
          main.post(new Sleep(Integer.parseInt(args[i])));
        }
        break;
      case "equal": // count, ms
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
          main.post(new Jank(Integer.parseInt(args[2])));
        }
        break;
      case "idle-handler": // ms
        Looper.myQueue().addIdleHandler(new Warm(Integer.parseInt(args[1])));
        main.post(() -> sink++);
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
    main.postDelayed(Janks::end, args[0].equals("idle-handler") ? 500 : 0);
    Looper.loop();
  }

  private static void end() {
    System.out.print(TIMES);
    System.out.flush();
    System.exit(0);
  }

  private static void took(long whole, long first) {
    TIMES.append("took ").append(whole / 1000).append(" first ").append(first / 1000).append('\n');
  }

  /** Two parts in first(), one in second(). */
  private static final class Jank implements Runnable {
    private final int ms;

    Jank(int ms) {
      this.ms = ms;
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      first(start + ms * 2000000L / 3);
      long middle = System.nanoTime();
      second(start + ms * 1000000L);
      long end = System.nanoTime();
      took(end - start, middle - start);
    }
  }

  private static final class Sleep implements Runnable {
    private final int ms;

    Sleep(int ms) {
      this.ms = ms;
    }

    @Override
    public void run() {
      say("begin");
      sleep(ms);
      say("end");
    }

    private static void say(String what) {
      System.out.println(what + " " + System.currentTimeMillis());
      System.out.flush();
    }

    private static void sleep(int ms) {
      try {
        Thread.sleep(ms);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class LongJank implements Runnable {
    private static final long LOOK_NS = 50_000_000;
    private final File told;
    private final int mostMs;

    LongJank(File told, int mostMs) {
      this.told = told;
      this.mostMs = mostMs;
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      long now = start;
      while (!told.exists() && now - start < mostMs * 1000000L) {
        first(now + LOOK_NS);
        now = System.nanoTime();
      }
      took(now - start, now - start);
    }
  }

  private static final class Warm implements MessageQueue.IdleHandler {
    private final int ms;

    Warm(int ms) {
      this.ms = ms;
    }

    @Override
    public boolean queueIdle() {
      long start = System.nanoTime();
      first(start + ms * 1000000L);
      long end = System.nanoTime();
      took(end - start, end - start);
      return false;
    }
  }

  private static void first(long until) {
    while (System.nanoTime() < until) {
      sink++;
    }
  }

  private static void second(long until) {
    while (System.nanoTime() < until) {
      sink++;
    }
  }
}
