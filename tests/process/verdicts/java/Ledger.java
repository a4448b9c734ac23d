// SPDX-License-Identifier: Apache-2.0
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * A program's own measurement: where its main thread was since when, a line each, by the clock of dumps. A separate
 * thread writes the lines.
 */
final class Ledger {
  private static final StringBuilder LINES = new StringBuilder();

  private Ledger() {}

  static void writeTo(String path) {
    final Thread writer = new Thread(() -> write(path), "ledger");
    writer.setDaemon(true);
    writer.start();
  }

  static void begin(String part) {
    line("+", System.nanoTime(), part);
  }

  /** The part may last so long: until when. */
  static long begin(String part, long ms) {
    begin(part);
    return Measured.endNs(ms);
  }

  static void end(String part) {
    line("-", System.nanoTime(), part);
  }

  /** Adds a part that has already ended, inside the current part. */
  static void add(String part, long beginNs, long endNs) {
    synchronized (LINES) {
      line("+", beginNs, part);
      line("-", endNs, part);
    }
  }

  private static void line(String what, long ns, String part) {
    synchronized (LINES) {
      LINES.append(what).append(' ').append(ns).append(' ').append(part).append('\n');
    }
  }

  private static void write(String path) {
    try (FileOutputStream file = new FileOutputStream(path)) {
      for (; ; ) {
        final String lines;
        synchronized (LINES) {
          lines = LINES.toString();
          LINES.setLength(0);
        }
        file.write(lines.getBytes());
        Thread.sleep(20);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e.toString());
    }
  }
}
