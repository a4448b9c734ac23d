// SPDX-License-Identifier: Apache-2.0
import android.os.Looper;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Messages whose time is easily given to the wrong one. */
final class MeasuredTraps {
  private MeasuredTraps() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("spread-recursion", () -> Measured.post(new Outline()));
    programs.put("nearly-even", () -> Measured.post(new Even()));
    programs.put("other-allocates", () -> Measured.post(new BesideGarbage()));
    programs.put("nested-twice", () -> Measured.post(new FirstDialog()));
    programs.put("wrapped", () -> Measured.post(new Wrapped()));
    programs.put("unwinding", () -> Measured.post(new Unwinding()));
    programs.put("sleeping-init", () -> Measured.post(new OpensStore()));
    programs.put("short-reads", () -> Measured.post(new ShortReads()));
    programs.put("lock-slices", () -> Measured.post(new LockSlices()));
    programs.put("polling", () -> Measured.post(new Polling()));
    programs.put("timed-waits", () -> Measured.post(new TimedWaits()));
    programs.put("just-ended", () -> Measured.post(new JustEnded(), new Begun()));
    programs.put("ended-then-quick", () -> Measured.post(new JustEnded(), new Then("quick", 60)));
  }

  /** Each level has a little of its own and two callees; no level stands out. */
  static final class Outline implements Runnable {
    @Override
    public void run() {
      visit(7);
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void visit(int depth) {
      final long end = Ledger.begin("visit", 70);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("visit");
      measure();
      draw();
      if (depth > 0) {
        visit(depth - 1);
      }
    }

    private void measure() {
      final long end = Ledger.begin("measure", 60);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("measure");
    }

    private void draw() {
      final long end = Ledger.begin("draw", 50);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("draw");
    }
  }

  /** 51 and 49 per cent, in short turns. */
  static final class Even implements Runnable {
    @Override
    public void run() {
      for (int i = 0; ; i++) {
        decrypt();
        unzip();
        if (i == 58) {
          Measured.ready();
        }
      }
    }

    private void decrypt() {
      final long end = Ledger.begin("decrypt", 26);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("decrypt");
    }

    private void unzip() {
      final long end = Ledger.begin("unzip", 25);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("unzip");
    }
  }

  /** Another thread keeps the garbage collector busy. */
  static final class BesideGarbage implements Runnable {
    private volatile boolean isDone;

    @Override
    public void run() {
      Measured.thread("decoder", this::allocate);
      sum();
      isDone = true;
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void sum() {
      final long end = Ledger.begin("sum", 1_200);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("sum");
    }

    private void allocate() {
      final byte[][] cache = new byte[64][];
      for (int i = 0; !isDone; i++) {
        cache[i % cache.length] = new byte[16 << 10];
        if (i % 64 == 0) {
          Verdicts.sleep(1);
        }
      }
    }
  }

  /** A loop within a loop, in messages. */
  static final class FirstDialog implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("first", 500);
      Measured.main.postAtFrontOfQueue(new SecondDialog());
      Looper.loop();
    }
  }

  static final class SecondDialog implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("second", 400);
      Measured.main.postAtFrontOfQueue(new Then("rest", 0));
      Looper.loop();
    }
  }

  static final class Then implements Runnable {
    private final String part;
    private final long ms;

    Then(String part, long ms) {
      this.part = part;
      this.ms = ms;
    }

    @Override
    public void run() {
      MeasuredWaits.compute(part, ms == 0 ? 900 : ms);
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }
  }

  /** A lambda that a proxy calls by reflection. */
  static final class Wrapped implements Runnable, InvocationHandler {
    private final Runnable task = () -> render();

    @Override
    public void run() {
      final Runnable wrapped =
          (Runnable)
              Proxy.newProxyInstance(
                  Wrapped.class.getClassLoader(), new Class<?>[] {Runnable.class}, this);
      wrapped.run();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      return method.invoke(task, arguments);
    }

    private void render() {
      final long end = Ledger.begin("render", 1_200);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("render");
    }
  }

  /** An exception goes up through many frames, again and again. */
  static final class Unwinding implements Runnable {
    @Override
    public void run() {
      search();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void search() {
      final long end = Ledger.begin("search", 1_200);
      while (System.nanoTime() < end) {
        try {
          descend(40);
        } catch (IllegalStateException found) {
          Measured.sink++;
        }
      }
      Ledger.end("search");
    }

    private void descend(int depth) {
      if (depth == 0) {
        throw new IllegalStateException("found");
      }
      descend(depth - 1);
    }
  }

  static final class Store {
    static final long VERSION = open();

    private Store() {}

    private static long open() {
      Measured.sleep("open", 1_200);
      return System.nanoTime();
    }
  }

  /** A class's initializer that waits. */
  static final class OpensStore implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("work", 400);
      Measured.sink += Store.VERSION;
      Measured.ready();
      MeasuredWaits.compute("after", Measured.HOLD_MS);
    }
  }

  /** Each answer comes after some ms, and is worked on for some ms. */
  static final class ShortReads implements Runnable {
    private static final int TURNS = 130;

    @Override
    public void run() {
      Measured.thread("server", this::serve);
      try (FileInputStream file = new FileInputStream(Measured.pipe)) {
        for (int i = 0; ; i++) {
          Ledger.begin("read");
          Measured.sink += file.read();
          Ledger.end("read");
          MeasuredWaits.compute("work", 6);
          if (i == TURNS) {
            Measured.ready();
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    private void serve() {
      try (FileOutputStream answer = new FileOutputStream(Measured.pipe)) {
        for (; ; ) {
          Verdicts.sleep(13);
          answer.write(1);
        }
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
    }
  }

  /** A lock that another thread holds for some ms, again and again. */
  static final class LockSlices implements Runnable {
    private final Object cache = new Object();

    @Override
    public void run() {
      Measured.thread("evictor", this::evict);
      for (int i = 0; ; i++) {
        MeasuredWaits.compute("work", 7);
        Ledger.begin("lock");
        synchronized (cache) {
          Measured.sink++;
        }
        Ledger.end("lock");
        if (i == 110) {
          Measured.ready();
        }
      }
    }

    private void evict() {
      for (; ; ) {
        synchronized (cache) {
          Verdicts.sleep(12);
        }
        Verdicts.sleep(1);
      }
    }
  }

  /** Looks each ms whether another thread is done. */
  static final class Polling implements Runnable {
    @Override
    public void run() {
      Ledger.begin("poll");
      for (int i = 0; ; i++) {
        Verdicts.sleep(1);
        if (i == 1_000) {
          Measured.ready();
        }
      }
    }
  }

  /** Waits with a limit, and works between. */
  static final class TimedWaits implements Runnable {
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public void run() {
      for (int i = 0; ; i++) {
        MeasuredWaits.compute("work", 5);
        Ledger.begin("wait");
        try {
          Measured.sink += never.await(7, TimeUnit.MILLISECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e.toString());
        }
        Ledger.end("wait");
        if (i == 130) {
          Measured.ready();
        }
      }
    }
  }

  static final class JustEnded implements Runnable {
    @Override
    public void run() {
      MeasuredWaits.compute("ended", 1_500);
    }
  }

  static final class Begun implements Runnable {
    @Override
    public void run() {
      Measured.ready();
      MeasuredWaits.compute("begun", Measured.HOLD_MS);
    }
  }
}
