// SPDX-License-Identifier: Apache-2.0
import com.google.gson.JsonReader;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongUnaryOperator;

/** Cases in which a sentence may name something in the wrong part, or omit it. */
final class MeasuredTold {
  private static final long STEP_MS = 250;

  private MeasuredTold() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("method-references", () -> Measured.post(new References()));
    programs.put("gave-back", () -> Measured.post(new GaveBack()));
    programs.put("many-steps", MeasuredTold::postSteps);
    programs.put("most-in-a-callee", () -> Measured.post(new Callee()));
  }

  /** Between the application's methods and the library is what a compiler made. */
  static final class References implements Runnable {
    private final LongUnaryOperator parse = new JsonReader()::readUntil;

    @Override
    public void run() {
      prices();
      stock();
      Measured.rest();
    }

    private void prices() {
      Ledger.begin("prices");
      Measured.sink += parse.applyAsLong(Measured.endNs(1_200));
      Ledger.end("prices");
    }

    private void stock() {
      final LongUnaryOperator other = new JsonReader()::readUntil;
      Ledger.begin("stock");
      Measured.sink += other.applyAsLong(Measured.endNs(900));
      Ledger.end("stock");
    }
  }

  /** The owner of the monitor has ended when the dump is taken. */
  static final class GaveBack implements Runnable {
    private final Object index = new Object();

    @Override
    public void run() {
      final CountDownLatch held = new CountDownLatch(1);
      Measured.thread(
          "compactor",
          () -> {
            synchronized (index) {
              held.countDown();
              Verdicts.sleep(1_500);
            }
          });
      while (held.getCount() > 0) {
        Thread.yield();
      }
      find();
      Measured.rest();
    }

    private void find() {
      Ledger.begin("lock");
      synchronized (index) {
        Measured.sink++;
      }
      Ledger.end("lock");
    }
  }

  /** Each is too small to be named. */
  private static void postSteps() {
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 10));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 20));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 30));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 40));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 50));
    Measured.main.post(() -> MeasuredWaits.compute("step", STEP_MS + 60));
    Measured.post(Measured::rest);
  }

  /** A method has most of the message. Its largest callee has less than half of it. */
  static final class Callee implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 10; i++) {
        fill();
      }
      draw();
      sort();
      Measured.ready();
      for (; ; ) {
        fill();
      }
    }

    private void fill() {
      decode();
      own();
    }

    private void decode() {
      Ledger.begin("decode");
      Measured.sink += new JsonReader().readUntil(Measured.endNs(90));
      Ledger.end("decode");
    }

    private void own() {
      Ledger.begin("own");
      Measured.sink += new JsonReader().readUntil(Measured.endNs(45));
      Ledger.end("own");
    }

    private void draw() {
      Ledger.begin("draw");
      Measured.sink += new JsonReader().readUntil(Measured.endNs(450));
      Ledger.end("draw");
    }

    private void sort() {
      Ledger.begin("sort");
      Measured.sink += new JsonReader().readUntil(Measured.endNs(400));
      Ledger.end("sort");
    }
  }
}
