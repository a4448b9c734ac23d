// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** A lock whose owner may take it again. Waiting threads are parked, in the order they came. */
public class ReentrantLock implements Lock, java.io.Serializable {
  /** No deadline. */
  private static final long FOREVER = Long.MAX_VALUE;

  /** The reason of a parked thread. */
  private static final class Sync extends AbstractOwnableSynchronizer {
    Thread owner() {
      return getExclusiveOwnerThread();
    }

    void setOwner(Thread thread) {
      setExclusiveOwnerThread(thread);
    }
  }

  private final Sync sync = new Sync();

  /** Guards the fields below, and the owner; held for a few instructions only. */
  private final Object guard = new Object();

  private final boolean fair;
  private final ArrayDeque<Thread> waiters = new ArrayDeque<>();
  private int holds;

  public ReentrantLock() {
    this(false);
  }

  public ReentrantLock(boolean fair) {
    this.fair = fair;
  }

  @Override
  public void lock() {
    boolean interrupted = false;
    while (!acquire(1, FOREVER, false)) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted() || !acquire(1, FOREVER, true)) {
      throw new InterruptedException();
    }
  }

  @Override
  public boolean tryLock() {
    synchronized (guard) {
      return takeIfFree(Thread.currentThread(), 1);
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    boolean acquired = acquire(1, System.nanoTime() + unit.toNanos(time), true);
    if (!acquired && Thread.interrupted()) {
      throw new InterruptedException();
    }
    return acquired;
  }

  private boolean takeIfFree(Thread thread, int count) {
    if (sync.owner() != null && sync.owner() != thread) {
      return false;
    }
    sync.setOwner(thread);
    holds += count;
    return true;
  }

  /** False at the deadline, or, if asked for, after an interrupt. */
  private boolean acquire(int count, long deadline, boolean interruptible) {
    Thread thread = Thread.currentThread();
    synchronized (guard) {
      boolean mayTake = sync.owner() == thread || !fair || waiters.isEmpty();
      if (mayTake && takeIfFree(thread, count)) {
        return true;
      }
      waiters.add(thread);
    }
    boolean interrupted = false;
    boolean acquired = false;
    boolean expired = false;
    while (!acquired && !expired) {
      if (deadline == FOREVER) {
        LockSupport.park(sync);
      } else {
        LockSupport.parkNanos(sync, deadline - System.nanoTime());
      }
      interrupted |= Thread.interrupted();
      synchronized (guard) {
        acquired = waiters.peek() == thread && takeIfFree(thread, count);
        expired = interrupted && interruptible || deadline != FOREVER && System.nanoTime() >= deadline;
        if (acquired || expired) {
          waiters.remove(thread);
        }
      }
    }
    if (!acquired) {
      wakeFirst();
    }
    if (interrupted && (acquired || !interruptible || deadline != FOREVER)) {
      thread.interrupt();
    }
    return acquired;
  }

  private void wakeFirst() {
    Thread first;
    synchronized (guard) {
      first = sync.owner() == null ? waiters.peek() : null;
    }
    LockSupport.unpark(first);
  }

  @Override
  public void unlock() {
    release(1);
  }

  private void release(int count) {
    synchronized (guard) {
      if (sync.owner() != Thread.currentThread()) {
        throw new IllegalMonitorStateException("the lock is not held by the current thread");
      }
      holds -= count;
      if (holds == 0) {
        sync.setOwner(null);
      }
    }
    wakeFirst();
  }

  public boolean isLocked() {
    synchronized (guard) {
      return sync.owner() != null;
    }
  }

  public boolean isHeldByCurrentThread() {
    synchronized (guard) {
      return sync.owner() == Thread.currentThread();
    }
  }

  public int getHoldCount() {
    synchronized (guard) {
      return sync.owner() == Thread.currentThread() ? holds : 0;
    }
  }

  public boolean hasQueuedThreads() {
    synchronized (guard) {
      return !waiters.isEmpty();
    }
  }

  public final boolean isFair() {
    return fair;
  }

  @Override
  public Condition newCondition() {
    return new LockCondition();
  }

  /** A condition's waiting thread; it continues when signalled is set. */
  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    volatile boolean signalled;
  }

  private final class LockCondition implements Condition {
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

    private void checkHeld() {
      if (!isHeldByCurrentThread()) {
        throw new IllegalMonitorStateException("the lock is not held by the current thread");
      }
    }

    /** Gives the lock up while it waits; true if an interrupt ended the wait. */
    private boolean doWait(long deadline, boolean interruptible) {
      checkHeld();
      Waiter waiter = new Waiter();
      waiting.add(waiter);
      int held = getHoldCount();
      release(held);
      boolean interrupted = false;
      while (!waiter.signalled && !(interrupted && interruptible)) {
        if (deadline == FOREVER) {
          LockSupport.park(this);
        } else {
          long left = deadline - System.nanoTime();
          if (left <= 0) {
            break;
          }
          LockSupport.parkNanos(this, left);
        }
        interrupted |= Thread.interrupted();
      }
      while (!acquire(held, FOREVER, false)) {
        interrupted = true;
      }
      waiting.remove(waiter);
      if (interrupted && (!interruptible || waiter.signalled)) {
        Thread.currentThread().interrupt();
      }
      return interrupted && interruptible && !waiter.signalled;
    }

    @Override
    public void await() throws InterruptedException {
      if (Thread.interrupted() || doWait(FOREVER, true)) {
        throw new InterruptedException();
      }
    }

    @Override
    public void awaitUninterruptibly() {
      doWait(FOREVER, false);
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      long deadline = System.nanoTime() + nanos;
      if (Thread.interrupted() || doWait(deadline, true)) {
        throw new InterruptedException();
      }
      return deadline - System.nanoTime();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public void signal() {
      checkHeld();
      Waiter first = waiting.poll();
      if (first != null) {
        first.signalled = true;
        LockSupport.unpark(first.thread);
      }
    }

    @Override
    public void signalAll() {
      checkHeld();
      while (!waiting.isEmpty()) {
        signal();
      }
    }
  }

  @Override
  public String toString() {
    Thread current = sync.owner();
    return super.toString() + (current == null ? "[Unlocked]" : "[Locked by thread " + current.getName() + "]");
  }
}
