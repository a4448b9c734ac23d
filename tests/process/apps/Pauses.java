// SPDX-License-Identifier: Apache-2.0
import java.io.File;

/** How programs wait: for a time, and for the file by which the test tells them to end. */
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
