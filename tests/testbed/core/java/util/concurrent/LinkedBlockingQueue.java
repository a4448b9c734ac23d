// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A blocking queue, bounded if one wishes. */
public class LinkedBlockingQueue<E> extends MonitorQueue<E> {
  public LinkedBlockingQueue() {
    this(Integer.MAX_VALUE);
  }

  public LinkedBlockingQueue(int capacity) {
    super(new java.util.LinkedList<>(), capacity);
  }
}
