// SPDX-License-Identifier: Apache-2.0
import android.app.ActivityManager;
import android.app.ActivityThread;
import android.app.Application;
import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import android.os.Process;

/**
 * Brings the main thread into the situation args[1] for args[2] seconds; args[0] is the library of natives. Says
 * "ready" when it is there.
 */
public class Situations {
  private static volatile long sink;

  static native void awaitProfiler();

  static native void computeInNative(int seconds);

  static native void endThread();

  static native String dump();

  static native void annotate(String name, String value);

  public static void main(String[] args) {
    System.load(args[0]);
    final String situation = args[1];
    final int seconds = Integer.parseInt(args[2]);
    awaitProfiler();
    annotate("battery", "40 %");
    if (situation.equals("system-says")) {
      exitFromOutside(seconds);
      ActivityThread.main(new String[] {"Situations$App"});
    }
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    MessageQueue queue = Looper.myQueue();
    if (situation.equals("idle-handler")) {
      queue.addIdleHandler(() -> {
        ready();
        handler.postDelayed(() -> System.exit(0), 100);
        spin(seconds);
        return false;
      });
      handler.post(() -> sink++);
    } else if (situation.equals("barrier")) {
      handler.post(() -> {
        queue.postSyncBarrier();
        handler.post(() -> System.out.println("never"));
        ready();
      });
      exitFromOutside(seconds);
    } else {
      handler.post(() -> enter(situation, seconds, queue));
      if (!situation.equals("nested")) { // that one would run it in its own loop
        handler.post(() -> System.exit(0));
      }
      handler.postDelayed(() -> sink++, 60000);
    }
    if (situation.equals("before-the-loop")) {
      ready();
      spin(seconds);
    }
    Looper.loop();
  }

  /** An application that is idle; a second later the system holds it for not responding. */
  public static class App extends Application {
    @Override
    public void onCreate() {
      new Thread(() -> {
        Situations.sleep(1000);
        ActivityManager.setNotResponding(Process.myPid(), "Input dispatching timed out");
      }).start();
      ready();
    }
  }

  private static void enter(String situation, int seconds, MessageQueue queue) {
    switch (situation) {
      case "before-the-loop":
        break;
      case "native":
        ready();
        computeInNative(seconds);
        break;
      case "monitor":
        synchronized (queue) {
          ready();
          spin(seconds);
        }
        break;
      case "collector":
        collect(seconds);
        break;
      case "dead":
        exitFromOutside(seconds);
        dumpFromOutside();
        endThread();
        break;
      case "messages":
        ready();
        changeQueue(seconds);
        break;
      case "nested":
        ready();
        nest(seconds);
        break;
      default:
        ready();
        spin(seconds);
        break;
    }
  }

  private static void ready() {
    System.out.println("ready");
  }

  private static void spin(int seconds) {
    long end = System.nanoTime() + seconds * 1000000000L;
    while (System.nanoTime() < end) {
      sink++;
    }
  }

  private static void collect(int seconds) {
    Object[] live = new Object[100000];
    for (int i = 0; i < live.length; i++) {
      live[i] = new int[8];
    }
    ready();
    long end = System.nanoTime() + seconds * 1000000000L;
    while (System.nanoTime() < end) {
      Runtime.getRuntime().gc();
    }
    sink += live.length;
  }

  /** Sends and removes messages all the time. */
  private static void changeQueue(int seconds) {
    Handler handler = new Handler();
    long end = System.nanoTime() + seconds * 1000000000L;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 50; i++) {
        handler.sendEmptyMessageDelayed(i, 1000 + i);
      }
      handler.removeCallbacksAndMessages(null);
    }
  }

  /** A loop inside a message: messages are dispatched as ever. */
  private static void nest(int seconds) {
    long end = System.nanoTime() + seconds * 1000000000L;
    Handler handler = new Handler();
    Runnable beat = new Runnable() {
      @Override
      public void run() {
        if (System.nanoTime() >= end) {
          System.exit(0);
        }
        handler.postDelayed(this, 20);
      }
    };
    handler.postAtFrontOfQueue(beat);
    Looper.loop();
  }

  private static void dumpFromOutside() {
    new Thread(() -> {
      sleep(500);
      ready();
      System.out.println("dump " + dump());
    }).start();
  }

  private static void exitFromOutside(int seconds) {
    new Thread(() -> {
      sleep(seconds * 1000L);
      Runtime.getRuntime().halt(0);
    }).start();
  }

  private static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new RuntimeException(e);
    }
  }
}
