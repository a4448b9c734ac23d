// SPDX-License-Identifier: Apache-2.0

/** Is in the second dex file. */
final class OtherFile {
  private OtherFile() {}

  static void fill(int[] values, int value) {
    for (int i = 0; i < values.length; i++) {
      values[i] = value;
    }
  }
}
