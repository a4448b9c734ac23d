// SPDX-License-Identifier: Apache-2.0
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Programs that change while they are sampled: their hot spots, their owners, and the thread that they wait for. */
final class MeasuredShapes {
  private static String current;
  private static boolean isOver;

  private MeasuredShapes() {}

  static void addTo(Map<String, Runnable> programs) {
    programs.put("hot-spot-moves", () -> Measured.post(new Tour()));
    programs.put("deep-reentered", () -> Measured.post(new Deep()));
    programs.put("lock-handed-on", () -> Measured.post(new HandedOn()));
    programs.put("convoy", () -> Measured.post(new Convoy()));
    programs.put("asks-and-waits", () -> Measured.post(new Asks()));
    programs.put("two-reads", () -> Measured.post(new TwoReads()));
  }

  /** Ends the current part. If `next` is null, the main thread continues. */
  private static synchronized void turn(String next) {
    if (isOver) {
      return;
    }
    isOver = next == null;
    if (current != null) {
      Ledger.end(current);
    }
    current = next;
    if (next != null) {
      Ledger.begin(next);
    }
  }

  /** No place is hot for long. */
  static final class Tour implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 3; i++) {
        fonts();
      }
      icons();
      icons();
      theme();
      Measured.rest();
    }

    private void fonts() {
      final long end = Ledger.begin("fonts", 250);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("fonts");
    }

    private void icons() {
      final long end = Ledger.begin("icons", 250);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("icons");
    }

    private void theme() {
      final long end = Ledger.begin("theme", 250);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("theme");
    }
  }

  /** Deeper than a stack is kept, again and again. */
  static final class Deep implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 12; i++) {
        down(1_500);
      }
      Measured.rest();
    }

    private void down(int levels) {
      if (levels > 0) {
        down(levels - 1);
      } else {
        parse();
        draw();
      }
    }

    private void parse() {
      final long end = Ledger.begin("parse", 80);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("parse");
    }

    private void draw() {
      final long end = Ledger.begin("draw", 40);
      while (System.nanoTime() < end) {
        Measured.sink++;
      }
      Ledger.end("draw");
    }
  }

  /** Its owner leaves a lock to one that has waited for longer than the main thread. */
  static final class HandedOn implements Runnable {
    private final Object lock = new Object();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread("importer", () -> hold(900, null));
      MeasuredWaits.await(held);
      Measured.thread("indexer", () -> hold(700, "indexer"));
      Verdicts.sleep(50);
      turn("importer");
      synchronized (lock) {
        turn(null);
      }
      Measured.rest();
    }

    private void hold(long ms, String part) {
      synchronized (lock) {
        held.countDown();
        if (part != null) {
          turn(part);
        }
        Verdicts.sleep(ms);
      }
    }
  }

  /** Five take turns, and the main thread comes last. */
  static final class Convoy implements Runnable {
    private final Object lock = new Object();
    private final CountDownLatch held = new CountDownLatch(1);

    @Override
    public void run() {
      Measured.thread("convoy-0", () -> pass(0));
      MeasuredWaits.await(held);
      for (int i = 1; i < 5; i++) {
        final int place = i;
        Measured.thread("convoy-" + place, () -> pass(place));
        Verdicts.sleep(10);
      }
      turn("convoy-0");
      synchronized (lock) {
        turn(null);
      }
      Measured.rest();
    }

    private void pass(int place) {
      synchronized (lock) {
        held.countDown();
        if (place > 0) {
          turn("convoy-" + place);
        }
        Verdicts.sleep(150 + 80 * place);
      }
    }
  }

  /** Each question takes another thread some ms. */
  static final class Asks implements Runnable {
    private final LinkedBlockingQueue<Integer> questions = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();

    @Override
    public void run() {
      Measured.thread("keystore", this::answer);
      try {
        for (int i = 0; i < 160; i++) {
          Ledger.begin("wait");
          questions.put(i);
          Measured.sink += answers.take();
          Ledger.end("wait");
          MeasuredWaits.compute("work", 4);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
      Measured.rest();
    }

    private void answer() {
      try {
        for (; ; ) {
          final int question = questions.take();
          Verdicts.sleep(5);
          answers.put(question);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e.toString());
      }
    }
  }

  static final class TwoReads implements Runnable {
    @Override
    public void run() {
      Measured.thread("server", this::serve);
      try (FileInputStream file = new FileInputStream(Measured.pipe)) {
        readSettings(file);
        readUser(file);
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
      Measured.rest();
    }

    private void serve() {
      try (FileOutputStream answer = new FileOutputStream(Measured.pipe)) {
        Verdicts.sleep(900);
        answer.write(1);
        Verdicts.sleep(500);
        answer.write(1);
        Verdicts.sleep(Measured.HOLD_MS);
      } catch (IOException e) {
        throw new IllegalStateException(e.toString());
      }
    }

    private void readSettings(FileInputStream file) throws IOException {
      Ledger.begin("settings");
      Measured.sink += file.read();
      Ledger.end("settings");
    }

    private void readUser(FileInputStream file) throws IOException {
      Ledger.begin("user");
      Measured.sink += file.read();
      Ledger.end("user");
    }
  }
}
