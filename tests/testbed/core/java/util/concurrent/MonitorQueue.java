// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Queue;

/** A blocking queue: another queue behind a monitor. Iterations see a snapshot. */
class MonitorQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private static final long FOREVER = Long.MAX_VALUE;

  private final Queue<E> elements;
  private final int capacity;

  MonitorQueue(Queue<E> elements, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity < 1");
    }
    this.elements = elements;
    this.capacity = capacity;
  }

  /** How long the head may not be taken yet; zero or less if it may. */
  long nanosUntilReady(E head) {
    return 0;
  }

  @Override
  public synchronized boolean offer(E element) {
    Objects.requireNonNull(element);
    boolean fits = elements.size() < capacity;
    if (fits) {
      elements.add(element);
      notifyAll();
    }
    return fits;
  }

  @Override
  public void put(E element) throws InterruptedException {
    offerUntil(element, FOREVER);
  }

  @Override
  public boolean offer(E element, long time, TimeUnit unit) throws InterruptedException {
    return offerUntil(element, System.nanoTime() + unit.toNanos(time));
  }

  private synchronized boolean offerUntil(E element, long deadline) throws InterruptedException {
    while (!offer(element)) {
      if (!waitUntil(deadline, FOREVER)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized E poll() {
    E head = elements.peek();
    if (head == null || nanosUntilReady(head) > 0) {
      return null;
    }
    notifyAll();
    return elements.poll();
  }

  @Override
  public E take() throws InterruptedException {
    return pollUntil(FOREVER);
  }

  @Override
  public E poll(long time, TimeUnit unit) throws InterruptedException {
    return pollUntil(System.nanoTime() + unit.toNanos(time));
  }

  private synchronized E pollUntil(long deadline) throws InterruptedException {
    E taken = poll();
    while (taken == null) {
      E head = elements.peek();
      long headDeadline = head == null ? FOREVER : System.nanoTime() + nanosUntilReady(head);
      if (!waitUntil(deadline, headDeadline)) {
        return null;
      }
      taken = poll();
    }
    return taken;
  }

  /** Waits for a change, or the earlier of two times; false once the first has passed. */
  private boolean waitUntil(long deadline, long earlier) throws InterruptedException {
    if (deadline == FOREVER && earlier == FOREVER) {
      wait();
      return true;
    }
    long now = System.nanoTime();
    if (deadline != FOREVER && deadline <= now) {
      return false;
    }
    TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, Math.min(deadline, earlier) - now));
    return true;
  }

  @Override
  public synchronized E peek() {
    return elements.peek();
  }

  @Override
  public synchronized int size() {
    return elements.size();
  }

  @Override
  public synchronized int remainingCapacity() {
    return capacity - elements.size();
  }

  @Override
  public synchronized boolean remove(Object element) {
    boolean removed = elements.remove(element);
    notifyAll();
    return removed;
  }

  @Override
  public synchronized boolean contains(Object element) {
    return elements.contains(element);
  }

  @Override
  public synchronized void clear() {
    elements.clear();
    notifyAll();
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  @Override
  public synchronized int drainTo(Collection<? super E> target, int limit) {
    int count = 0;
    while (count < limit && !elements.isEmpty()) {
      target.add(elements.poll());
      count++;
    }
    notifyAll();
    return count;
  }

  @Override
  public synchronized Iterator<E> iterator() {
    return new ArrayList<>(elements).iterator();
  }
}
