// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs on a phone by app_process or dalvikvm, with the library preloaded: a message takes several paths through a few
 * methods, while another thread asks ART itself for the main thread's stack. Prints ART's different answers and the
 * dump of the profiler; device_lane.py compares them.
 */
public class DeviceLane {
  private static final int ASK_EVERY_MS = 5;
  private static final int MIN_ANSWERS = 400;
  private static final int MIN_ROUNDS = 5;
  private static final int MAX_ROUNDS = 200;
  private static volatile int answered;
  private static volatile boolean isOver;
  private static long sink;

  /** The library, which is loaded already. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Looper.prepareMainLooper();
    Stillframe.start();
    Stillframe.await(60_000);
    System.out.println("state " + Stillframe.state());
    Thread main = Thread.currentThread();
    Handler handler = new Handler();
    handler.post(DeviceLane::hang);
    new Thread(() -> ask(main)).start();
    Looper.loop();
  }

  private static void hang() {
    // However seldom the other thread runs, it sees each path several times.
    for (int round = 0; round < MIN_ROUNDS || (answered < MIN_ANSWERS && round < MAX_ROUNDS); round++) {
      left(3);
      right(5);
      new Side().turn(2);
    }
    isOver = true;
  }

  private static void left(int depth) {
    if (depth > 0) {
      right(depth - 1);
    }
    spin(40);
  }

  private static void right(int depth) {
    if (depth > 0) {
      left(depth - 1);
    }
    spin(30);
  }

  private static class Side {
    void turn(int depth) {
      if (depth > 0) {
        turn(depth - 1);
      } else {
        right(1);
      }
    }
  }

  private static void spin(int ms) {
    long end = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < end) {
      for (int i = 0; i < 2000; i++) {
        sink += i;
      }
    }
  }

  private static void ask(Thread main) {
    List<String> answers = new ArrayList<>();
    while (!isOver) {
      String answer = stackOf(main);
      if (!answers.contains(answer)) {
        answers.add(answer);
      }
      answered++;
      SystemClock.sleep(ASK_EVERY_MS);
    }
    for (String answer : answers) {
      System.out.println("art " + answer);
    }
    // The message has just ended and is being moved into the history.
    SystemClock.sleep(200);
    System.out.println("dump " + Stillframe.dump());
    System.exit(0);
  }

  /** Methods of this file, outermost first. */
  private static String stackOf(Thread thread) {
    StringBuilder text = new StringBuilder();
    StackTraceElement[] stack = thread.getStackTrace();
    for (int i = stack.length - 1; i >= 0; i--) {
      if (stack[i].getClassName().startsWith("DeviceLane")) {
        text.append(text.length() == 0 ? "" : ";").append(stack[i].getClassName()).append('.').append(stack[i].getMethodName());
      }
    }
    return text.toString();
  }
}
