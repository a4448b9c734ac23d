// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A bounded blocking queue. */
public class ArrayBlockingQueue<E> extends MonitorQueue<E> {
  public ArrayBlockingQueue(int capacity) {
    super(new java.util.ArrayDeque<>(), capacity);
  }

  public ArrayBlockingQueue(int capacity, boolean fair) {
    this(capacity);
  }
}
