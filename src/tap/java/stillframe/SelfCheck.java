// SPDX-License-Identifier: Apache-2.0
// The stack that the start-up check walks.
package stillframe;

/** A known stack of managed and native frames, which the profiler walks and compares with what the runtime says. */
final class SelfCheck {
  private SelfCheck() {}

  /** Returns what differed, or null. */
  static String run() {
    return descend(3);
  }

  /** Each call is on a line of its own, with code before it: a dex pc that is off by a little gives another line. */
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
    // One line on purpose: both stacks then name the same line here.
    return compare(new Throwable().getStackTrace());
  }

  private static native String compare(StackTraceElement[] expected);

  /** Never called: it is here for its entry point. */
  private native void neverCalled();
}
