// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Permits that threads take and give back. */
public class Semaphore {
  private int permits;

  public Semaphore(int permits) {
    this.permits = permits;
  }

  public Semaphore(int permits, boolean fair) {
    this(permits);
  }

  public void acquire() throws InterruptedException {
    acquire(1);
  }

  public void acquire(int count) throws InterruptedException {
    synchronized (this) {
      while (permits < count) {
        wait();
      }
      permits -= count;
    }
  }

  public boolean tryAcquire() {
    synchronized (this) {
      boolean free = permits > 0;
      permits -= free ? 1 : 0;
      return free;
    }
  }

  public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(time);
    synchronized (this) {
      while (permits < 1) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      permits--;
      return true;
    }
  }

  public void release() {
    release(1);
  }

  public void release(int count) {
    synchronized (this) {
      permits += count;
      notifyAll();
    }
  }

  public int availablePermits() {
    synchronized (this) {
      return permits;
    }
  }
}
