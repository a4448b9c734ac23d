// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.util.Log;

/**
 * Runs cases, each on a thread of its own so that it can have a looper, and ends the process: 0
 * when all passed, 1 otherwise.
 */
final class TestRun {
  private static final long CASE_LIMIT_MS = 30_000;

  private int passed;
  private int failed;

  TestRun add(String name, Check.Action body) {
    final Throwable[] failure = new Throwable[1];
    final Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (Throwable t) {
        failure[0] = t;
      }
    }, "case");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(CASE_LIMIT_MS);
    } catch (InterruptedException e) {
      failure[0] = e;
    }
    if (thread.isAlive()) {
      failure[0] = new AssertionError("still runs after " + CASE_LIMIT_MS + " ms");
      failure[0].setStackTrace(thread.getStackTrace());
    }
    report(name, failure[0]);
    return this;
  }

  private void report(String name, Throwable failure) {
    if (failure == null) {
      passed++;
      System.out.println("passed  " + name);
    } else {
      failed++;
      System.out.println("FAILED  " + name);
      System.out.print(Log.getStackTraceString(failure));
    }
  }

  void end() {
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
