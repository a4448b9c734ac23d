// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/** One message, whose method recurses args[0] deep, by itself or in turns with another, and computes there for args[2] ms. */
public final class Deep {
  private static final int WARM_DEPTH = 20;
  private static int sink;

  private Deep() {}

  public static void main(String[] args) {
    final int depth = Integer.parseInt(args[0]);
    final boolean isMutual = args[1].equals("mutual");
    final long computeMs = Long.parseLong(args[2]);
    // Compiled, where there is a compiler, before the message begins.
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      enter(WARM_DEPTH, isMutual, 0);
    }
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(() -> resolve(depth, isMutual, computeMs));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void resolve(int depth, boolean isMutual, long computeMs) {
    int reached = enter(depth, isMutual, computeMs);
    if (reached != depth) {
      throw new IllegalStateException("reached " + reached + " of " + depth);
    }
    System.out.println("reached " + reached);
  }

  private static int enter(int depth, boolean isMutual, long computeMs) {
    return isMutual ? even(depth, 1, computeMs) : descend(depth, 1, computeMs);
  }

  private static int descend(int depth, int reached, long computeMs) {
    if (reached == depth) {
      compute(computeMs);
      return reached;
    }
    int deepest = descend(depth, reached + 1, computeMs);
    sink += deepest;
    return deepest;
  }

  private static int even(int depth, int reached, long computeMs) {
    if (reached == depth) {
      compute(computeMs);
      return reached;
    }
    int deepest = odd(depth, reached + 1, computeMs);
    sink += deepest;
    return deepest;
  }

  private static int odd(int depth, int reached, long computeMs) {
    if (reached == depth) {
      compute(computeMs);
      return reached;
    }
    int deepest = even(depth, reached + 1, computeMs);
    sink -= deepest;
    return deepest;
  }

  private static void compute(long ms) {
    long end = System.nanoTime() + ms * 1_000_000;
    while (System.nanoTime() < end) {
      sink++;
    }
  }
}
