// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import android.os.SystemClock;
import fixture.scenario.TapInForce;
import java.io.File;

/** Has the main thread busy outside messages; args[0] says how, until the file args[1] is there. */
public final class Outside {
  private static volatile long sink;
  private static volatile boolean isOver;
  private static Handler main;

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    main = new Handler();
    final MessageQueue queue = Looper.myQueue();
    TapInForce.await(60_000);
    endWhenAsked(new File(args[1]));
    switch (args[0]) {
      case "idle-handler":
        queue.addIdleHandler(new Warm());
        main.post(() -> sink++);
        break;
      case "input":
        main.post(() -> sink++);
        later(200, () -> queue.callFromPoll(new Touch()));
        break;
      case "before-the-loop":
        postLate();
        readSettings();
        break;
      case "nested":
        main.post(new Dialog());
        break;
      case "guard":
        main.post(new Guard());
        break;
      case "history":
        history(queue);
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
    Looper.loop();
  }

  /** Something is due while the main thread does not come to it. */
  private static void postLate() {
    main.post(() -> System.exit(0));
  }

  private static final class Warm implements MessageQueue.IdleHandler {
    @Override
    public boolean queueIdle() {
      postLate();
      loadFonts();
      return false;
    }
  }

  private static final class Touch implements Runnable {
    @Override
    public void run() {
      postLate();
      onTouch();
    }
  }

  /** A message with a loop of its own. */
  private static final class Dialog implements Runnable {
    @Override
    public void run() {
      for (int i = 0; i < 5; i++) {
        main.postDelayed(() -> sink++, 100 * i);
      }
      main.postDelayed(new Confirm(), 600);
      Looper.loop();
    }
  }

  private static final class Confirm implements Runnable {
    @Override
    public void run() {
      postLate();
      save();
    }
  }

  /** A message that catches what the others throw, as crash guards do. */
  private static final class Guard implements Runnable {
    @Override
    public void run() {
      burn(300);
      ready();
      for (int i = 0; i < 9; i++) {
        main.postDelayed(() -> sink++, 1_200 * i);
      }
      main.postDelayed(() -> {
        throw new IllegalStateException("caught");
      }, 9_601);
      try {
        Looper.loop();
      } catch (IllegalStateException caught) {
        burn(600);
      }
      main.postDelayed(() -> System.exit(0), 1_200);
    }
  }

  private static void loadFonts() {
    ready();
    spin();
  }

  private static void onTouch() {
    ready();
    while (!isOver) {
      Pauses.sleep(20);
    }
  }

  private static void readSettings() {
    ready();
    spin();
  }

  private static void save() {
    ready();
    spin();
  }

  private static void ready() {
    System.out.println("ready");
  }

  private static void spin() {
    while (!isOver) {
      sink++;
    }
  }

  /**
   * In sequence, however long each takes: a message, an idle handler of 400 ms, a pause, a callback from native code, a
   * pause, a message. The callback computes for 20 ms and sleeps for 580 ms.
   */
  private static void history(MessageQueue queue) {
    main.post(() -> {
      System.out.println("ready");
      queue.addIdleHandler(() -> {
        burn(400);
        later(1_200, () -> queue.callFromPoll(Outside::touch));
        return false;
      });
    });
  }

  private static void touch() {
    compute(20);
    Pauses.sleep(580);
    main.postDelayed(() -> burn(100), 1_200);
    main.postDelayed(() -> System.exit(0), 1_201);
  }

  private static void burn(long ms) {
    long until = SystemClock.uptimeMillis() + ms;
    while (SystemClock.uptimeMillis() < until) {
      sink++;
    }
  }

  /** CPU time. */
  private static void compute(long ms) {
    long until = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < until) {
      sink++;
    }
  }

  private static void later(long ms, Runnable what) {
    new Thread(() -> {
      Pauses.sleep(ms);
      what.run();
    }).start();
  }

  private static void endWhenAsked(File told) {
    new Thread(() -> {
      Pauses.awaitFile(told);
      isOver = true;
    }).start();
  }
}
