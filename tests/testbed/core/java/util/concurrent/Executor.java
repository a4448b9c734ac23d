// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Runs tasks. */
public interface Executor {
  void execute(Runnable task);
}
