// SPDX-License-Identifier: Apache-2.0
package bench;

/**
 * The cost of one sample by our handler on a stack so deep that the sample keeps only both ends.
 * Arguments: DEPTH [TAG]; the tag becomes part of the rows' names. Needs a large stack.
 */
public final class Deep {
  private Deep() {}

  public static void main(String[] args) {
    Natives.prepareSampler();
    int depth = Integer.parseInt(args[0]);
    // The other frames are this one, the native's, and the remaining calls of descend.
    int reached = descend(depth - 2, depth, args.length > 1 ? args[1] : "");
    if (reached != depth - 2) {
      throw new AssertionError("reached " + reached);
    }
  }

  private static int descend(int left, int depth, String tag) {
    if (left > 1) {
      return 1 + descend(left - 1, depth, tag);
    }
    Natives.measureDeep(depth, tag);
    return 1;
  }
}
