// SPDX-License-Identifier: Apache-2.0
/** Checks layouts that are wrong in one constant, args[1] too much, at a stack of a few fragments. */
public class ShiftedLayout {
  private static native void bind();

  /** Null when the runtime is known. */
  static native String open();

  static native boolean checkAll(long by);

  static native void through(int depth, long by);

  public static void main(String[] args) {
    System.load(args[0]);
    bind();
    String why = open();
    if (why != null) {
      System.out.println("not known: " + why);
      System.exit(2);
    }
    descend(8, Long.parseLong(args[1]));
  }

  static void descend(int depth, long by) {
    if (depth == 0) {
      if (!checkAll(by)) {
        System.exit(2);
      }
    } else if (depth % 3 == 0) {
      through(depth - 1, by);
    } else {
      descend(depth - 1, by);
    }
  }
}
