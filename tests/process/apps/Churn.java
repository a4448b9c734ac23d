// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import dalvik.system.PathClassLoader;

/**
 * Makes compiled code appear and disappear for args[0] seconds, in messages of 1.2 s. args[1] is a jar of the classes.
 *
 * - Loops of newly loaded classes: each replaces the frame that it runs in.
 * - Failing checks: compiled code returns its frame to the interpreter.
 * - A class that invalidates an assumption of compiled code while that runs.
 */
public class Churn {
  private static final long MESSAGE_NS = 1200000000L;
  private static final int CALLS_BETWEEN_FAILURES = 20000;
  private static final int GUESTS_BETWEEN_COLLECTIONS = 40;

  static volatile long sink;
  private static int guests;
  private static long endNs;
  private static String jar;
  private static Handler handler;

  /** Loaded anew each time, with its nested classes. */
  public static class Guest implements Runnable {
    static class Shape {
      int sides() {
        return 1;
      }
    }

    /** Loaded while compiled code takes {@link Shape#sides} for the only one. */
    static class Square extends Shape {
      @Override
      int sides() {
        return 4;
      }
    }

    @Override
    public void run() {
      Churn.sink += loop(300000) + shapes(new Shape(), 20000, true);
    }

    private static long loop(int rounds) {
      long value = 1;
      for (int i = 0; i < rounds; i++) {
        value = value * 31 + (i ^ (value >>> 7)) % 1009;
      }
      return value;
    }

    private static long shapes(Shape shape, int rounds, boolean goesOn) {
      long sides = 0;
      for (int i = 0; i < rounds; i++) {
        sides += shape.sides();
      }
      return goesOn ? sides + shapes(new Square(), 100, false) : sides;
    }
  }

  public static void main(String[] args) {
    endNs = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
    jar = args[1];
    Looper.prepareMainLooper();
    handler = new Handler();
    handler.post(Churn::message);
    Looper.loop();
  }

  private static void message() {
    long end = Math.min(endNs, System.nanoTime() + MESSAGE_NS);
    while (System.nanoTime() < end) {
      invite();
      sink += failures();
      if (++guests % GUESTS_BETWEEN_COLLECTIONS == 0) {
        Runtime.getRuntime().gc();
      }
    }
    if (System.nanoTime() < endNs) {
      handler.post(Churn::message);
    } else {
      System.out.println("guests " + guests);
      System.exit(0);
    }
  }

  private static void invite() {
    try {
      Class<?> guest = new PathClassLoader(jar, Churn.class.getClassLoader().getParent()).loadClass("Churn$Guest");
      ((Runnable) guest.newInstance()).run();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int failures() {
    int[] numbers = new int[8];
    int sum = 0;
    for (int i = 0; i < CALLS_BETWEEN_FAILURES; i++) {
      sum += neighbours(numbers, i % 4);
    }
    try {
      return sum + neighbours(numbers, 6);
    } catch (ArrayIndexOutOfBoundsException e) {
      return sum;
    }
  }

  /** Compiled, one check covers all four elements. If it fails, the interpreter continues. */
  private static int neighbours(int[] numbers, int first) {
    return numbers[first] + numbers[first + 1] + numbers[first + 2] + numbers[first + 3];
  }
}
