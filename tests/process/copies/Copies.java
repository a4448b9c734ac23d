// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;

/**
 * Starts two copies of the profiler. args: the facade's copy, the library with the natives, another copy, the dump folder, and
 * whether the "other" one or the "facade" starts first. Says what became of each, then dumps.
 */
public final class Copies {
  private static volatile long sink;

  private static native String startOther(String path);

  public static void main(String[] args) {
    System.load(args[0]);
    System.load(args[1]);
    Looper.prepareMainLooper();
    if (args[4].equals("other")) {
      System.out.println("other " + startOther(args[2]));
    }
    System.out.println("facade " + Stillframe.start(args[3]));
    Stillframe.await(60_000);
    System.out.println("state " + Stillframe.state());
    if (!args[4].equals("other")) {
      System.out.println("other " + startOther(args[2]));
      System.out.println("other " + startOther(args[2]));
    }
    Handler main = new Handler();
    main.post(Copies::spin);
    main.post(() -> {
      System.out.println("dump " + Stillframe.dump());
      System.out.println("ready");
      while (!new java.io.File(args[3] + "/told").exists()) {
        SystemClock.sleep(50);
      }
      System.exit(0);
    });
    Looper.loop();
  }

  private static void spin() {
    long end = SystemClock.currentThreadTimeMillis() + 400;
    while (SystemClock.currentThreadTimeMillis() < end) {
      sink++;
    }
  }
}
