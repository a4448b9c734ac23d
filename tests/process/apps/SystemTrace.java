// SPDX-License-Identifier: Apache-2.0

import android.os.Handler;
import android.os.Looper;

/**
 * A main thread that hangs in a message for args[2] seconds, in the situation args[1]; args[0] is the library of
 * natives. Says "ready" when it is there, and at the end what a handler of its own saw.
 */
public class SystemTrace {
  private static volatile long sink;

  static native void sleepUninterruptibly(int seconds);

  static native void suspendTheVm(int seconds);

  static native void useUpDescriptors();

  static native void useUpMemory();

  static native void handleSigquit();

  static native int handledSigquits();

  static native int sleepOnce();

  static native boolean takesSigquit();

  public static void main(String[] args) {
    System.load(args[0]);
    final String situation = args[1];
    final int seconds = Integer.parseInt(args[2]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    if (situation.equals("handler-before")) {
      handleSigquit();
    }
    // Until the profiler has settled.
    handler.postDelayed(() -> enter(situation, seconds), 1500);
    Looper.loop();
  }

  private static void enter(String situation, int seconds) {
    if (situation.equals("handler-after")) {
      handleSigquit();
    } else if (situation.equals("descriptors")) {
      useUpDescriptors();
    } else if (situation.equals("memory")) {
      useUpMemory();
    } else if (situation.equals("suspended")) {
      new Thread(() -> suspendTheVm(seconds - 3)).start();
    }
    System.out.println("ready");
    if (situation.equals("uninterruptible")) {
      sleepUninterruptibly(seconds);
      spin(3); // until the traces that waited for this thread are out
    } else if (situation.equals("sleep")) {
      System.out.println("slept " + sleepOnce());
    } else {
      spin(seconds);
    }
    System.out.println("handled " + handledSigquits() + " takes " + takesSigquit());
    System.exit(0);
  }

  private static void spin(int seconds) {
    final long end = System.currentTimeMillis() + seconds * 1000L;
    while (System.currentTimeMillis() < end) {
      sink++;
    }
  }
}
