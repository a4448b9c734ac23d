// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Runs tasks on threads that it keeps. */
public class ThreadPoolExecutor extends AbstractExecutorService {
  /** Refuses with an exception. */
  public static class AbortPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
      throw new RejectedExecutionException("Task " + task + " rejected");
    }
  }

  /** Lets the caller run the task itself. */
  public static class CallerRunsPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
      if (!executor.isShutdown()) {
        task.run();
      }
    }
  }

  private final int coreSize;
  private final int maximumSize;
  private final long idleNanos;
  private final BlockingQueue<Runnable> queue;
  private final ThreadFactory factory;
  private final RejectedExecutionHandler rejection;
  private final List<Thread> workers = new ArrayList<>();

  /** Workers that wait for a task or are about to; a shutdown interrupts these only. */
  private final Set<Thread> idle = new HashSet<>();

  private long completed;
  private boolean shutdown;

  /** Tasks are to be interrupted too. */
  private boolean stopping;

  public ThreadPoolExecutor(int coreSize, int maximumSize, long idleTime, TimeUnit unit, BlockingQueue<Runnable> queue) {
    this(coreSize, maximumSize, idleTime, unit, queue, Executors.defaultThreadFactory());
  }

  public ThreadPoolExecutor(
      int coreSize,
      int maximumSize,
      long idleTime,
      TimeUnit unit,
      BlockingQueue<Runnable> queue,
      ThreadFactory factory) {
    this(coreSize, maximumSize, idleTime, unit, queue, factory, new AbortPolicy());
  }

  public ThreadPoolExecutor(
      int coreSize,
      int maximumSize,
      long idleTime,
      TimeUnit unit,
      BlockingQueue<Runnable> queue,
      ThreadFactory factory,
      RejectedExecutionHandler rejection) {
    this.coreSize = coreSize;
    this.maximumSize = maximumSize;
    this.idleNanos = unit.toNanos(idleTime);
    this.queue = queue;
    this.factory = factory;
    this.rejection = rejection;
  }

  @Override
  public void execute(Runnable task) {
    java.util.Objects.requireNonNull(task);
    boolean taken;
    synchronized (this) {
      if (shutdown) {
        taken = false;
      } else if (workers.size() < coreSize) {
        startWorker(task);
        taken = true;
      } else if (idle.size() > queue.size() || workers.size() >= maximumSize || coreSize > 0) {
        taken = queue.offer(task);
        if (!taken && workers.size() < maximumSize) {
          startWorker(task);
          taken = true;
        }
      } else {
        startWorker(task);
        taken = true;
      }
    }
    if (!taken) {
      rejection.rejectedExecution(task, this);
    }
  }

  private void startWorker(Runnable firstTask) {
    Thread thread = factory.newThread(() -> work(firstTask));
    workers.add(thread);
    thread.start();
  }

  private void work(Runnable firstTask) {
    Runnable task = firstTask;
    try {
      while (task != null) {
        beforeExecute(Thread.currentThread(), task);
        task.run();
        afterExecute(task, null);
        synchronized (this) {
          completed++;
        }
        task = nextTask();
      }
    } finally {
      synchronized (this) {
        workers.remove(Thread.currentThread());
        notifyAll();
      }
    }
  }

  protected void beforeExecute(Thread thread, Runnable task) {}

  protected void afterExecute(Runnable task, Throwable failure) {}

  /** Waits for work; null when the worker should end. */
  private Runnable nextTask() {
    Thread worker = Thread.currentThread();
    synchronized (this) {
      idle.add(worker);
    }
    try {
      while (true) {
        boolean mayEnd;
        synchronized (this) {
          if (shutdown) {
            return queue.poll();
          }
          mayEnd = workers.size() > coreSize;
        }
        Runnable task = mayEnd ? queue.poll(idleNanos, TimeUnit.NANOSECONDS) : queue.take();
        if (task != null || mayEnd) {
          return task;
        }
      }
    } catch (InterruptedException endOrGoOn) {
      return isShutdown() ? queue.poll() : nextTask();
    } finally {
      synchronized (this) {
        idle.remove(worker);
        if (!stopping) {
          Thread.interrupted(); // It was for the wait, not for the task.
        }
      }
    }
  }

  @Override
  public void shutdown() {
    synchronized (this) {
      shutdown = true;
      for (Thread worker : idle) {
        worker.interrupt();
      }
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> left = new ArrayList<>();
    synchronized (this) {
      shutdown = true;
      stopping = true;
      queue.drainTo(left);
      for (Thread worker : workers) {
        worker.interrupt();
      }
    }
    return left;
  }

  @Override
  public boolean isShutdown() {
    synchronized (this) {
      return shutdown;
    }
  }

  @Override
  public boolean isTerminated() {
    synchronized (this) {
      return shutdown && workers.isEmpty();
    }
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(time);
    synchronized (this) {
      while (!isTerminated()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return true;
    }
  }

  public int getPoolSize() {
    synchronized (this) {
      return workers.size();
    }
  }

  public long getCompletedTaskCount() {
    synchronized (this) {
      return completed;
    }
  }

  public BlockingQueue<Runnable> getQueue() {
    return queue;
  }
}
