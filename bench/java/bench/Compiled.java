// SPDX-License-Identifier: Apache-2.0
package bench;

/**
 * Two methods that call each other. {@link Natives#installCompiled} replaces them by machine code.
 */
final class Compiled {
  private Compiled() {}

  static void even(int left, int depth) {
    if (left > 1) {
      odd(left - 1, depth);
    } else {
      Natives.measureSamples(depth, true);
    }
  }

  static void odd(int left, int depth) {
    if (left > 1) {
      even(left - 1, depth);
    } else {
      Natives.measureSamples(depth, true);
    }
  }
}
