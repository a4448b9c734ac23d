// SPDX-License-Identifier: Apache-2.0
import android.app.ActivityManager;
import android.app.ActivityThread;
import android.app.Application;
import android.app.SystemMessages;
import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import android.os.Process;
import java.io.File;

/**
 * Brings the main thread into the situation args[1] until the file args[2] is there; args[0] is the library of
 * natives. Says "ready" when it is there.
 */
public class Situations {
  private static volatile long sink;
  private static volatile boolean isOver;

  static native void awaitProfiler();

  static native void computeInNative();

  static native void endComputing();

  static native void endThread();

  static native boolean mainThreadHasEnded();

  static native String dump();

  static native void annotate(String name, String value);

  public static void main(String[] args) {
    System.load(args[0]);
    final String situation = args[1];
    awaitProfiler();
    annotate("battery", "40 %");
    final boolean isOfSystem = situation.equals("system-messages");
    final boolean returnsNever =
        isOfSystem || situation.equals("system-says") || situation.equals("barrier") || situation.equals("dead");
    endWhenAsked(new File(args[2]), returnsNever);
    if (situation.equals("system-says")) {
      ActivityThread.main(new String[] {"Situations$App"});
    }
    ActivityThread.attach();
    Handler handler = new Handler();
    MessageQueue queue = Looper.myQueue();
    if (situation.equals("idle-handler")) {
      queue.addIdleHandler(() -> {
        handler.postDelayed(() -> System.exit(0), 100);
        spin();
        return false;
      });
      handler.post(() -> sink++);
    } else if (situation.equals("barrier")) {
      handler.post(() -> {
        queue.postSyncBarrier();
        handler.post(() -> System.out.println("never"));
        ready();
      });
    } else {
      handler.post(() -> enter(situation, queue));
      if (!situation.equals("nested")) { // "nested" would run it in its own loop
        handler.post(() -> System.exit(0));
      }
      handler.postDelayed(() -> sink++, 600000);
    }
    if (situation.equals("objects")) {
      handler.sendMessage(handler.obtainMessage(7, 3, -4, new Order("three coffees")));
      handler.sendMessage(handler.obtainMessage(8, new Order(null)));
      handler.sendMessage(handler.obtainMessage(9));
    } else if (situation.equals("stuck-object")) {
      handler.sendMessage(handler.obtainMessage(7, 3, -4, new Order("") {
        @Override
        public String toString() {
          spinQuietly();
          return "never";
        }
      }));
    }
    if (isOfSystem) {
      SystemMessages.send(ActivityThread.currentActivityThread().getHandler());
    }
    if (situation.equals("before-the-loop")) {
      spin();
    }
    Looper.loop();
  }

  /** An application that is idle; a second later the system holds it for not responding. */
  public static class App extends Application {
    @Override
    public void onCreate() {
      new Thread(() -> {
        Pauses.sleep(1000);
        ActivityManager.setNotResponding(Process.myPid(), "com.example/.Main", "ANR Input dispatching timed out");
      }).start();
      ready();
    }
  }

  private static void enter(String situation, MessageQueue queue) {
    switch (situation) {
      case "before-the-loop":
        break;
      case "native":
        ready();
        computeInNative();
        break;
      case "monitor":
        synchronized (queue) {
          spin();
        }
        break;
      case "collector":
        collect();
        break;
      case "dead":
        dumpFromOutside();
        endThread();
        break;
      case "messages":
        ready();
        changeQueue();
        break;
      case "nested":
        ready();
        nest();
        break;
      default:
        spin();
        break;
    }
  }

  /** Content of a message. */
  private static class Order {
    private final String text;

    Order(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      if (text == null) {
        throw new IllegalStateException("no text");
      }
      return text;
    }
  }

  private static void spinQuietly() {
    while (!isOver) {
      sink--;
      sink++;
    }
  }

  private static void ready() {
    System.out.println("ready");
  }

  /** Ready is it once it does nothing else. */
  private static void spin() {
    new Thread(() -> {
      for (long first = sink; sink == first; ) {
        Pauses.sleep(1);
      }
      ready();
    }).start();
    while (!isOver) {
      sink++;
    }
  }

  private static void collect() {
    Object[] live = new Object[100000];
    for (int i = 0; i < live.length; i++) {
      live[i] = new int[8];
    }
    ready();
    while (!isOver) {
      Runtime.getRuntime().gc();
    }
    sink += live.length;
  }

  /** Sends and removes messages all the time. */
  private static void changeQueue() {
    Handler handler = new Handler();
    while (!isOver) {
      for (int i = 0; i < 50; i++) {
        handler.sendEmptyMessageDelayed(i, 1000 + i);
      }
      handler.removeCallbacksAndMessages(null);
    }
  }

  /** A loop inside a message: messages are dispatched as ever. */
  private static void nest() {
    Handler handler = new Handler();
    Runnable beat = new Runnable() {
      @Override
      public void run() {
        if (isOver) {
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
      while (!mainThreadHasEnded()) {
        Pauses.sleep(5);
      }
      ready();
      System.out.println("dump " + dump());
    }).start();
  }

  /** A main thread that cannot return from its situation is left there. */
  private static void endWhenAsked(File told, boolean returnsNever) {
    new Thread(() -> {
      Pauses.awaitFile(told);
      if (returnsNever) {
        Runtime.getRuntime().halt(0);
      }
      isOver = true;
      endComputing();
    }).start();
  }
}
