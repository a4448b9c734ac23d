// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Messages in which methods and native functions of the library args[0] call each other, three levels deep. There is
 * one message for each way to compile the functions. Each takes args[1] ms, in which it runs, or sleeps if args[2] is
 * "sleeps".
 */
public class NativeMix {
  private static final int KINDS = 8;

  static native void enter(int level);

  static native void start(int kind, int ms, boolean sleeps);

  public static void main(String[] args) {
    System.load(args[0]);
    System.out.println("ready");
    final int ms = Integer.parseInt(args[1]);
    final boolean sleeps = args[2].equals("sleeps");
    Looper.prepareMainLooper();
    for (int i = 0; i < KINDS; i++) {
      final int kind = i;
      new Handler().post(() -> message(kind, ms, sleeps));
    }
    new Handler().post(() -> System.exit(0));
    Looper.loop();
  }

  private static void message(int kind, int ms, boolean sleeps) {
    start(kind, ms, sleeps);
    first(1);
  }

  static void first(int level) {
    between(level);
  }

  // From native code.
  static void back(int level) {
    between(level);
  }

  private static void between(int level) {
    enter(level);
  }
}
