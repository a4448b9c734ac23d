// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import fixture.scenario.TapInForce;
import java.io.File;

/**
 * Computes one and the same number in long messages, by calls of all kinds, until the file args[0] is there; args[1], if
 * given, messages at least. Says the number, and fails where a message comes to another.
 */
public final class Computes {
  private static final int BLOCKS_PER_MESSAGE = 300;
  private static Handler main;
  private static File told;
  private static long first;
  private static int messages;
  private static int atLeast;

  private interface Step {
    long step(long value);
  }

  private static final class Twist implements Step {
    @Override
    public long step(long value) {
      return (value ^ value >>> 17) * 0x9E3779B97F4A7C15L;
    }
  }

  private static final class Deep implements Step {
    @Override
    public long step(long value) {
      return dive(value, 60);
    }

    private long dive(long value, int depth) {
      return depth == 0 ? value + 1 : dive(value * 31 + depth, depth - 1) ^ depth;
    }
  }

  private static final class Thrown implements Step {
    @Override
    public long step(long value) {
      try {
        return fail(value, 5);
      } catch (IllegalStateException e) {
        return value * 5 + 7;
      }
    }

    private long fail(long value, int depth) {
      if (depth == 0) {
        throw new IllegalStateException();
      }
      return fail(value, depth - 1) + 1;
    }
  }

  private static final class Texts implements Step {
    @Override
    public synchronized long step(long value) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 8; i++) {
        text.append(value >>> i).append('/');
      }
      return value * 33 + text.toString().hashCode();
    }
  }

  private static final Step[] STEPS = {new Twist(), new Deep(), new Thrown(), new Texts()};

  public static void main(String[] args) throws InterruptedException {
    told = new File(args[0]);
    atLeast = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    Looper.prepareMainLooper();
    main = new Handler();
    if (args.length > 2) {
      TapInForce.await(60_000);
    }
    main.post(Computes::work);
    Looper.loop();
  }

  private static void work() {
    long result = 1;
    for (int block = 0; block < BLOCKS_PER_MESSAGE; block++) {
      result = compute(result, block);
    }
    if (messages++ == 0) {
      first = result;
    } else if (result != first) {
      throw new IllegalStateException("message " + messages + ": " + result + ", not " + first);
    }
    if (messages >= atLeast && told.exists()) {
      System.out.println("result " + result + " messages " + messages);
      System.out.flush();
      System.exit(0);
    }
    main.post(Computes::work);
  }

  private static long compute(long value, int block) {
    long result = value + block;
    for (int i = 0; i < 400; i++) {
      result = STEPS[i % STEPS.length].step(result);
    }
    return result;
  }
}
