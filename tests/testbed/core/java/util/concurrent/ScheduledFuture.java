// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** The result of a task that runs later. */
public interface ScheduledFuture<V> extends Delayed, Future<V> {}
