// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.File;

/** Loops in one message until the file args[0] is there. */
public class Hang {
  private static volatile long sink;
  private static volatile boolean isOver;

  public static void main(String[] args) {
    final File told = new File(args[0]);
    new Thread(() -> awaitFile(told)).start();
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(Hang::hang);
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void hang() {
    System.out.println("hanging");
    while (!isOver) {
      sink++;
    }
  }

  private static void awaitFile(File told) {
    try {
      while (!told.exists()) {
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    isOver = true;
  }
}
