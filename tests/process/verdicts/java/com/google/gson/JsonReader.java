// SPDX-License-Identifier: Apache-2.0
package com.google.gson;

/** Stands for a library that is not the application's own code. */
public final class JsonReader {
  private long number;

  public long readUntil(long endNs) {
    while (System.nanoTime() < endNs) {
      peekNumber();
    }
    return number;
  }

  private void peekNumber() {
    for (int i = 0; i < 1_000; i++) {
      number += i;
    }
  }
}
