// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.Random;

/**
 * Calls between 30 and 60 frames deep, like an application's. Most samples share most of their
 * stack with the previous one, and every method calls from several lines.
 */
final class CallGraph {
  private static final int SHALLOWEST = 30;
  private static final int DEEPEST = 60;

  private final Random random;
  private Runnable leaf;
  private int left;

  CallGraph(long seed) {
    random = new Random(seed);
  }

  /** Runs {@code leaf} {@code times} times, each on the current stack of the walk. */
  void walk(int times, Runnable leaf) {
    this.leaf = leaf;
    left = times;
    while (left > 0) {
      layout(1);
    }
  }

  private void next(int depth) {
    while (left > 0) {
      int choice = random.nextInt(16);
      if (depth >= SHALLOWEST && choice < 9) {
        left--;
        leaf.run();
      } else if (depth > SHALLOWEST && choice < 12) {
        return;
      } else if (depth >= DEEPEST) {
        return;
      } else {
        call(depth, random.nextInt(6));
      }
    }
  }

  private void call(int depth, int callee) {
    switch (callee) {
      case 0:
        layout(depth + 2);
        break;
      case 1:
        measure(depth + 2);
        break;
      case 2:
        draw(depth + 2);
        break;
      case 3:
        bind(depth + 2);
        break;
      case 4:
        decode(depth + 2);
        break;
      default:
        format(depth + 2);
        break;
    }
  }

  private void layout(int depth) {
    if (random.nextBoolean()) {
      next(depth + 1);
    } else {
      next(depth + 1);
    }
  }

  private void measure(int depth) {
    if (random.nextBoolean()) {
      layout(depth + 1);
    } else {
      next(depth + 1);
    }
  }

  private void draw(int depth) {
    next(depth + 1);
    next(depth + 1);
  }

  private void bind(int depth) {
    if (random.nextBoolean()) {
      decode(depth + 1);
    } else {
      format(depth + 1);
    }
  }

  private void decode(int depth) {
    next(depth + 1);
  }

  private void format(int depth) {
    if (random.nextBoolean()) {
      decode(depth + 1);
    }
    next(depth + 1);
  }
}
