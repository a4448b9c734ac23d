// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Code to run. */
@FunctionalInterface
public interface Runnable {
  void run();
}
