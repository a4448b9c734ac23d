// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/** Collects references whose objects are gone. */
public class ReferenceQueue<T> {
  /** A circle of references that the collector cleared, through pendingNext; guarded by the class. */
  private static Reference<?> pending;

  private Reference<? extends T> head;
  private Reference<? extends T> tail;

  /** Called by ART after a collection, with a circle of cleared references. */
  static void add(Reference<?> circle) {
    synchronized (ReferenceQueue.class) {
      if (pending == null) {
        pending = circle;
      } else {
        Reference<?> afterPending = pending.pendingNext;
        pending.pendingNext = circle.pendingNext;
        circle.pendingNext = afterPending;
      }
      ReferenceQueue.class.notifyAll();
    }
  }

  /** The work of the ReferenceQueueDaemon. */
  public static void enqueuePendingForever() throws InterruptedException {
    while (true) {
      Reference<?> circle;
      synchronized (ReferenceQueue.class) {
        while (pending == null) {
          ReferenceQueue.class.wait();
        }
        circle = pending;
        pending = null;
      }
      Reference<?> each = circle;
      do {
        Reference<?> next = each.pendingNext;
        each.pendingNext = each;
        if (each.queue != null) {
          each.enqueue();
        }
        each = next;
      } while (each != circle);
    }
  }

  @SuppressWarnings("unchecked")
  boolean enqueue(Reference<?> reference) {
    synchronized (this) {
      if (reference.queueNext != null) {
        return false;
      }
      if (tail == null) {
        head = (Reference<? extends T>) reference;
      } else {
        tail.queueNext = reference;
      }
      tail = (Reference<? extends T>) reference;
      tail.queueNext = reference;
      notifyAll();
      return true;
    }
  }

  @SuppressWarnings("unchecked")
  public Reference<? extends T> poll() {
    synchronized (this) {
      if (head == null) {
        return null;
      }
      Reference<? extends T> first = head;
      if (first == tail) {
        head = null;
        tail = null;
      } else {
        head = first.queueNext;
      }
      first.queueNext = first;
      return first;
    }
  }

  public Reference<? extends T> remove() throws InterruptedException {
    return remove(0);
  }

  public Reference<? extends T> remove(long timeoutMillis) throws InterruptedException {
    long start = System.currentTimeMillis();
    synchronized (this) {
      while (head == null) {
        long left = timeoutMillis == 0 ? 0 : timeoutMillis - (System.currentTimeMillis() - start);
        if (left < 0 || timeoutMillis != 0 && left == 0) {
          return null;
        }
        wait(left);
      }
      return poll();
    }
  }
}
