// SPDX-License-Identifier: Apache-2.0
import com.google.gson.JsonReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Messages that compute, in various ways. */
final class MeasuredWork {
  private static final byte[] FROM = new byte[4 << 20];
  private static final byte[] TO = new byte[4 << 20];

  private MeasuredWork() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("two-methods", () -> Measured.post(new TwoMethods()));
    programs.put("shared-helper", () -> Measured.post(new SharedHelper()));
    programs.put("lambdas", () -> Measured.post(new Lambdas()));
    programs.put("reflection", () -> Measured.post(new Reflection()));
    programs.put("proxy", () -> Measured.post(new ThroughProxy()));
    programs.put("library", () -> Measured.post(new Restore()));
    programs.put("class-init", () -> Measured.post(new Initialize()));
    programs.put("exceptions", () -> Measured.post(new Exceptions()));
    programs.put("native-work", () -> Measured.post(new Copies()));
    programs.put("strings", () -> Measured.post(new Strings()));
    programs.put("recursion-leaves", () -> Measured.post(new Tree()));
    programs.put("ten-callees", () -> Measured.post(new TenCallees()));
    programs.put("allocation", () -> Measured.post(new Allocation()));
  }

  /** 60 and 40 per cent, one after the other, then whatever there is until the dump. */
  static final class TwoMethods implements Runnable {
    @Override
    public void run() {
      for (int i = 0; ; i++) {
        parse();
        sort();
        if (i == 8) {
          Measured.ready();
        }
      }
    }

    private void parse() {
      final long end = Ledger.begin("parse", 120);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("parse");
    }

    private void sort() {
      final long end = Ledger.begin("sort", 80);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("sort");
    }
  }

  /** Both compute in the same method. */
  static final class SharedHelper implements Runnable {
    @Override
    public void run() {
      decode();
      Measured.ready();
      layout();
    }

    private void decode() {
      Ledger.begin("decode");
      Verdicts.spin(900);
      Ledger.end("decode");
    }

    private void layout() {
      Ledger.begin("layout");
      Verdicts.spin(Measured.HOLD_MS);
      Ledger.end("layout");
    }
  }

  static final class Lambdas implements Runnable {
    @Override
    public void run() {
      final Runnable cheap = () -> part("cheap", 300);
      final Runnable dear = () -> dear();
      cheap.run();
      dear.run();
      Measured.ready();
      cheap.run();
      part("rest", Measured.HOLD_MS);
    }

    private void dear() {
      final long end = Ledger.begin("dear", 1_400);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("dear");
    }

    private void part(String name, long ms) {
      final long end = Ledger.begin(name, ms);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end(name);
    }
  }

  static final class Reflection implements Runnable {
    @Override
    public void run() {
      try {
        final Method inflate = Reflection.class.getDeclaredMethod("inflate", long.class);
        inflate.invoke(this, 1_200L);
        Measured.ready();
        Measured.sleep("sleep", Measured.HOLD_MS);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    void inflate(long ms) {
      final long end = Ledger.begin("inflate", ms);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("inflate");
    }
  }

  static final class ThroughProxy implements Runnable, InvocationHandler {
    @Override
    public void run() {
      final Runnable listener =
          (Runnable)
              Proxy.newProxyInstance(
                  ThroughProxy.class.getClassLoader(), new Class<?>[] {Runnable.class}, this);
      listener.run();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      notifyListeners();
      return null;
    }

    private void notifyListeners() {
      final long end = Ledger.begin("notify", 1_200);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("notify");
    }
  }

  /** A library's code below the application's. */
  static final class Restore implements Runnable {
    @Override
    public void run() {
      restoreCart();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void restoreCart() {
      Ledger.begin("library");
      Measured.sink += new JsonReader().readUntil(Measured.endNs(1_200));
      Ledger.end("library");
    }
  }

  static final class Registry {
    static final long SIZE = fill();

    private Registry() {}

    private static long fill() {
      final long end = Ledger.begin("fill", 1_200);
      long size = 0;
      while (System.nanoTime() < end) {
        size++;
      }
      Ledger.end("fill");
      return size;
    }
  }

  static final class Initialize implements Runnable {
    @Override
    public void run() {
      Measured.sink += Registry.SIZE;
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }
  }

  static final class Exceptions implements Runnable {
    @Override
    public void run() {
      validate();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void validate() {
      final long end = Ledger.begin("validate", 1_200);
      while (System.nanoTime() < end) {
        try {
          parse(Measured.sink);
        } catch (IllegalArgumentException expected) {
          Measured.sink++;
        }
      }
      Ledger.end("validate");
    }

    private void parse(long number) {
      throw new IllegalArgumentException("not a number: " + number);
    }
  }

  static final class Copies implements Runnable {
    @Override
    public void run() {
      blur();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void blur() {
      final long end = Ledger.begin("blur", 1_200);
      while (System.nanoTime() < end) {
        System.arraycopy(FROM, 0, TO, 0, FROM.length);
      }
      Ledger.end("blur");
    }
  }

  static final class Strings implements Runnable {
    @Override
    public void run() {
      join();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void join() {
      final long end = Ledger.begin("join", 1_200);
      String text = "";
      while (System.nanoTime() < end) {
        text = text.length() > 2_000 ? "" : text + "item " + Measured.sink++;
      }
      Measured.sink += text.length();
      Ledger.end("join");
    }
  }

  /** Each node has two kinds of leaf. */
  static final class Tree implements Runnable {
    @Override
    public void run() {
      visit(6, 1_800);
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void visit(int depth, long ms) {
      measure(ms / 14);
      draw(ms / 28);
      if (depth > 0) {
        visit(depth - 1, ms);
      }
    }

    private void measure(long ms) {
      final long end = Ledger.begin("measure", ms);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("measure");
    }

    private void draw(long ms) {
      final long end = Ledger.begin("draw", ms);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("draw");
    }
  }

  static final class TenCallees implements Runnable {
    private static final int STEPS = 10;

    @Override
    public void run() {
      refresh();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void refresh() {
      Ledger.begin("refresh");
      for (int i = 0; i < STEPS; i++) {
        first();
        second();
        third();
        fourth();
      }
      Ledger.end("refresh");
    }

    private void first() {
      final long end = Measured.endNs(35);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
    }

    private void second() {
      final long end = Measured.endNs(35);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
    }

    private void third() {
      final long end = Measured.endNs(35);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
    }

    private void fourth() {
      final long end = Measured.endNs(35);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
    }
  }

  /** The garbage collector runs beside it. */
  static final class Allocation implements Runnable {
    private byte[][] cache = new byte[64][];

    @Override
    public void run() {
      load();
      Measured.ready();
      Measured.sleep("sleep", Measured.HOLD_MS);
    }

    private void load() {
      final long end = Ledger.begin("load", 1_200);
      for (int i = 0; System.nanoTime() < end; i++) {
        cache[i % cache.length] = new byte[32 << 10];
      }
      Ledger.end("load");
    }
  }
}
