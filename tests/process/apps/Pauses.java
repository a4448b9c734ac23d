// SPDX-License-Identifier: Apache-2.0
import java.io.File;

/** Ways to wait: for a time, and for the file by which the test ends the program. */
final class Pauses {
  private Pauses() {}

  static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void awaitFile(File told) {
    while (!told.exists()) {
      sleep(20);
    }
  }
}
