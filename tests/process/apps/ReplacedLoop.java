// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Messages that are one loop each, entered once: a compiler's code for it has to replace the frame that is on the stack.
 * args[0] is how many messages, args[1] how long each runs in milliseconds. The loops differ in what their samples meet:
 * arithmetic alone, calls, calls that come back to the looping method's caller by an exception.
 */
public final class ReplacedLoop {
  private static long sink;

  private static final class Failure extends RuntimeException {
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  public static void main(String[] args) {
    int messages = Integer.parseInt(args[0]);
    long milliseconds = Long.parseLong(args[1]);
    Looper.prepareMainLooper();
    Handler handler = new Handler(Looper.getMainLooper());
    for (int i = 0; i < messages; i++) {
      handler.post(() -> outer(milliseconds));
    }
    handler.post(() -> System.exit(sink == 42 ? 2 : 0));
    Looper.loop();
  }

  private static void outer(long milliseconds) {
    loop(milliseconds * 1_000_000L);
  }

  private static void loop(long nanoseconds) {
    long value = sink;
    long end = System.nanoTime() + nanoseconds;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 20_000; i++) {
        value = value * 31 + (i ^ (value >>> 7)) % 1009;
      }
      for (int i = 0; i < 50; i++) {
        value += work(value, i);
        value += thrown(value);
      }
    }
    sink = value;
  }

  private static long work(long value, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += value / (i + 3);
    }
    return sum;
  }

  private static long thrown(long value) {
    try {
      fail(value);
    } catch (Failure failure) {
      return value >>> 3;
    }
    return value;
  }

  private static void fail(long value) {
    if ((value & 15) == 3) {
      throw new Failure();
    }
  }
}
