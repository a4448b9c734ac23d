// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Ends in a message, 300 ms after it began, without exit handlers, and with status 5, by the library args[0]; a child
 * ends so before.
 */
public class EndsAtOnce {
  static native void exit(int status);

  static native int exitOfChild(int status);

  public static void main(String[] args) {
    System.load(args[0]);
    Looper.prepareMainLooper();
    new Handler().postDelayed(EndsAtOnce::end, 500);
    Looper.loop();
  }

  private static void end() {
    System.out.println("child " + exitOfChild(4));
    System.out.flush();
    long end = System.currentTimeMillis() + 300;
    while (System.currentTimeMillis() < end) {
    }
    exit(5);
  }
}
