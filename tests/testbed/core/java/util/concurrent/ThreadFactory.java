// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Makes threads. */
@FunctionalInterface
public interface ThreadFactory {
  Thread newThread(Runnable task);
}
