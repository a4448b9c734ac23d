// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A task that is its own future. */
public interface RunnableFuture<V> extends Runnable, Future<V> {}
