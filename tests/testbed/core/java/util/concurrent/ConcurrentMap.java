// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A map for many threads; single calls are atomic. */
public interface ConcurrentMap<K, V> extends java.util.Map<K, V> {}
