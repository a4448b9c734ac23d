// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The end of a program that nobody asked to exit. */
class Shutdown {
  private Shutdown() {}

  /** Called by the launcher when the last thread but daemons has ended: runs the shutdown hooks. */
  static void shutdown() {
    Runtime.getRuntime().runShutdownHooks();
  }
}
