// SPDX-License-Identifier: Apache-2.0
// The stack that the start-up check walks.
package stillframe;

/** A known stack of managed and native frames. The profiler walks it, and compares with the runtime's own trace. */
final class SelfCheck {
  private SelfCheck() {}

  /** Returns the difference, or null. */
  static String run() {
    return descend(3);
  }

  /** Each call is on its own line, after some code, so that a slightly wrong dex pc gives another line. */
  private static String descend(int depth) {
    if (depth == 3) {
      return descend(2);
    }
    if (depth == 2) {
      return descend(1);
    }
    if (depth == 1) {
      return descend(0);
    }
    return callBack();
  }

  /** Calls leaf from native code, which starts a new fragment of the managed stack. */
  private static native String callBack();

  /** Protected: its access flags differ from a native method's in more than one bit. */
  protected static String leaf() {
    // One line on purpose: both stacks then have the same line here.
    return compare(new Throwable().getStackTrace());
  }

  private static native String compare(StackTraceElement[] expected);

  /** Never called: only its entry point is used. */
  private native void neverCalled();
}
