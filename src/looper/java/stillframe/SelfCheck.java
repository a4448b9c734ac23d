package stillframe;

/** A known stack of managed and native frames, which the profiler walks and compares with what the runtime says. */
final class SelfCheck {
  private SelfCheck() {}

  /** Returns what differed, or null. */
  static String run() {
    return descend(3);
  }

  private static String descend(int depth) {
    return depth > 0 ? descend(depth - 1) : callBack();
  }

  /** Calls leaf from native code, which starts a new fragment of the managed stack. */
  private static native String callBack();

  static String leaf() {
    // One line on purpose: both stacks then name the same line here.
    return compare(new Throwable().getStackTrace());
  }

  private static native String compare(StackTraceElement[] expected);
}
