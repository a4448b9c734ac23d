// SPDX-License-Identifier: Apache-2.0
package bench;

/** The cost of finding the library of an address among few and among many libraries. */
public final class LookUps {
  private LookUps() {}

  public static void main(String[] args) {
    Natives.prepareSampler();
    Natives.measureLookUps();
  }
}
