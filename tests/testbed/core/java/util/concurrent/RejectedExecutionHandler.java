// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Told about a task that an executor does not take. */
@FunctionalInterface
public interface RejectedExecutionHandler {
  void rejectedExecution(Runnable task, ThreadPoolExecutor executor);
}
