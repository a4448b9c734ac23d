// SPDX-License-Identifier: Apache-2.0
package android_tests;

/** Conditions of a test; one that does not hold fails the case with what was seen. */
final class Check {
  private Check() {}

  /** Code that may throw. */
  interface Action {
    void run() throws Exception;
  }

  static void that(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  static void equal(Object expected, Object actual) {
    if (expected == null ? actual != null : !expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }

  static void between(long low, long high, long actual, String what) {
    that(actual >= low && actual <= high,
        what + " is " + actual + ", not from " + low + " to " + high);
  }

  /** Returns what {@code action} throws, which must be of {@code type}. */
  static Throwable thrown(Class<?> type, Action action) {
    try {
      action.run();
    } catch (Throwable t) {
      that(type.isInstance(t), "expected " + type.getName() + ", got " + t);
      return t;
    }
    throw new AssertionError("expected " + type.getName() + ", nothing was thrown");
  }
}
