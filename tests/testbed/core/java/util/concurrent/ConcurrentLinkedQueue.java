// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.Collection;

/** A queue for many threads. */
public class ConcurrentLinkedQueue<E> extends MonitorQueue<E> {
  public ConcurrentLinkedQueue() {
    super(new java.util.ArrayDeque<>(), Integer.MAX_VALUE);
  }

  public ConcurrentLinkedQueue(Collection<? extends E> source) {
    this();
    addAll(source);
  }
}
