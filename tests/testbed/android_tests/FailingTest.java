// SPDX-License-Identifier: Apache-2.0
package android_tests;

/** Fails on purpose, so that a test can see that failures are seen. */
public final class FailingTest {
  private FailingTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("holds", () -> Check.equal(1, 1))
        .add("does not hold", () -> Check.equal(1, 2))
        .end();
  }
}
