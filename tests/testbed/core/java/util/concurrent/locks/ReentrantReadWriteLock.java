// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A lock for many readers or one writer; the writer may read, a reader may not write. */
public class ReentrantReadWriteLock implements ReadWriteLock, java.io.Serializable {
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition changed = guard.newCondition();
  private final Map<Thread, Integer> readers = new HashMap<>();
  private Thread writer;
  private int writeHolds;
  private final ReadLock readLock = new ReadLock();
  private final WriteLock writeLock = new WriteLock();

  public ReentrantReadWriteLock() {}

  public ReentrantReadWriteLock(boolean fair) {}

  @Override
  public ReadLock readLock() {
    return readLock;
  }

  @Override
  public WriteLock writeLock() {
    return writeLock;
  }

  /** Common to both kinds: waiting until the lock can be taken. */
  private abstract class Half implements Lock {
    abstract boolean takeIfFree(Thread thread);

    abstract void giveBack(Thread thread);

    @Override
    public void lock() {
      guard.lock();
      try {
        while (!takeIfFree(Thread.currentThread())) {
          changed.awaitUninterruptibly();
        }
      } finally {
        guard.unlock();
      }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      guard.lockInterruptibly();
      try {
        while (!takeIfFree(Thread.currentThread())) {
          changed.await();
        }
      } finally {
        guard.unlock();
      }
    }

    @Override
    public boolean tryLock() {
      guard.lock();
      try {
        return takeIfFree(Thread.currentThread());
      } finally {
        guard.unlock();
      }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      long left = unit.toNanos(time);
      guard.lockInterruptibly();
      try {
        while (!takeIfFree(Thread.currentThread())) {
          if (left <= 0) {
            return false;
          }
          left = changed.awaitNanos(left);
        }
        return true;
      } finally {
        guard.unlock();
      }
    }

    @Override
    public void unlock() {
      guard.lock();
      try {
        giveBack(Thread.currentThread());
        changed.signalAll();
      } finally {
        guard.unlock();
      }
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException("newCondition");
    }
  }

  /** The readers' half. */
  public class ReadLock extends Half {
    @Override
    boolean takeIfFree(Thread thread) {
      boolean free = writer == null || writer == thread;
      if (free) {
        readers.merge(thread, 1, Integer::sum);
      }
      return free;
    }

    @Override
    void giveBack(Thread thread) {
      Integer holds = readers.get(thread);
      if (holds == null) {
        throw new IllegalMonitorStateException("the read lock is not held by the current thread");
      }
      readers.compute(thread, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The writer's half. */
  public class WriteLock extends Half {
    @Override
    boolean takeIfFree(Thread thread) {
      boolean free = writer == thread || writer == null && readers.isEmpty();
      if (free) {
        writer = thread;
        writeHolds++;
      }
      return free;
    }

    @Override
    void giveBack(Thread thread) {
      if (writer != thread) {
        throw new IllegalMonitorStateException("the write lock is not held by the current thread");
      }
      if (--writeHolds == 0) {
        writer = null;
      }
    }

    public boolean isHeldByCurrentThread() {
      return writer == Thread.currentThread();
    }
  }
}
