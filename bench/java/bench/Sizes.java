// SPDX-License-Identifier: Apache-2.0
package bench;

/**
 * Ten messages of a thousand samples each, for the sizes of ring, tree, dump and text. Arguments:
 * trees, samples.
 */
public final class Sizes {
  private Sizes() {}

  public static void main(String[] args) {
    Natives.prepareSampler();
    int trees = Integer.parseInt(args[0]);
    int samples = Integer.parseInt(args[1]);
    for (int tree = 0; tree < trees; tree++) {
      new CallGraph(tree).walk(samples, Natives::sample);
      Natives.endTree();
    }
    Natives.reportSizes();
  }
}
