// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A blocking queue that gives out the least element. */
public class PriorityBlockingQueue<E> extends MonitorQueue<E> {
  public PriorityBlockingQueue() {
    super(new java.util.PriorityQueue<>(), Integer.MAX_VALUE);
  }

  public PriorityBlockingQueue(int initialCapacity, java.util.Comparator<? super E> order) {
    super(new java.util.PriorityQueue<>(initialCapacity, order), Integer.MAX_VALUE);
  }
}
