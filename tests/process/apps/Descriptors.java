// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import fixture.scenario.TapInForce;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * Does what it reads, a line each: "take FD AS" (descriptors.cc), "work N": N messages of 120 ms,
 * "leak": uses up all descriptors,
 * "changed", "exit"; answers each with a line. args[0] is the library of natives.
 */
public class Descriptors {
  private static volatile long sink;
  private static Handler handler;

  static native void take(String as, int fd);

  static native int changed();

  static native void leak();

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    Looper.prepareMainLooper();
    handler = new Handler();
    TapInForce.await(10_000);
    new Thread(Descriptors::obey).start();
    Looper.loop();
  }

  private static void obey() {
    System.out.println("ready");
    try {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals("take")) {
          take(words[2], Integer.parseInt(words[1]));
          System.out.println("taken");
        } else if (words[0].equals("leak")) {
          leak();
          System.out.println("leaked");
        } else if (words[0].equals("work")) {
          work(Integer.parseInt(words[1]));
        } else if (words[0].equals("changed")) {
          System.out.println("changed " + changed());
        } else {
          break;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    handler.post(() -> System.exit(0));
  }

  private static void work(int messages) {
    for (int i = 0; i < messages; i++) {
      handler.post(Descriptors::burn);
    }
    handler.post(() -> System.out.println("worked"));
  }

  private static void burn() {
    long end = SystemClock.uptimeMillis() + 120;
    while (SystemClock.uptimeMillis() < end) {
      sink++;
    }
  }
}
