// SPDX-License-Identifier: Apache-2.0
package bench;

/** What it takes to find the library of an address among few and among many. */
public final class LookUps {
  private LookUps() {}

  public static void main(String[] args) {
    Natives.prepareSampler();
    Natives.measureLookUps();
  }
}
