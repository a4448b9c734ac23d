// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Lets threads wait until a count has reached zero. */
public class CountDownLatch {
  private long count;

  public CountDownLatch(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count < 0");
    }
    this.count = count;
  }

  public void await() throws InterruptedException {
    synchronized (this) {
      while (count > 0) {
        wait();
      }
    }
  }

  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(time);
    synchronized (this) {
      while (count > 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return true;
    }
  }

  public void countDown() {
    synchronized (this) {
      if (count > 0 && --count == 0) {
        notifyAll();
      }
    }
  }

  public long getCount() {
    synchronized (this) {
      return count;
    }
  }
}
