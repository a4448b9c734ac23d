// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;

/** Computes for 300 ms, then sleeps for 400 ms, a message each. Or does that first. Sets a Printer if told to. */
public class Refused {
  private static Handler main;
  private static int printed;

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    main = new Handler(Looper.getMainLooper());
    if (args[0].equals("theirs")) {
      usePrinter();
    }
    main.postDelayed(Refused::compute, args[0].equals("first") ? 0 : 2_000);
    if (args[0].equals("later")) {
      main.postDelayed(Refused::usePrinter, 2_500);
      main.postDelayed(Refused::compute, 4_000);
    }
    main.postDelayed(Refused::sleep, 5_000);
    main.postDelayed(Refused::end, 5_600);
    Looper.loop();
  }

  private static void usePrinter() {
    Looper.getMainLooper().setMessageLogging(text -> printed++);
  }

  private static void compute() {
    long until = SystemClock.uptimeMillis() + 300;
    while (SystemClock.uptimeMillis() < until) {
      // computes
    }
  }

  private static void sleep() {
    SystemClock.sleep(400);
  }

  private static void end() {
    System.out.println("printed " + printed);
    System.exit(0);
  }
}
