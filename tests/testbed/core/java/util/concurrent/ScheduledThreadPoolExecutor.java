// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Runs tasks when they are due. */
public class ScheduledThreadPoolExecutor extends ThreadPoolExecutor implements ScheduledExecutorService {
  public ScheduledThreadPoolExecutor(int threads) {
    super(threads, threads, 0, TimeUnit.SECONDS, new DueQueue());
  }

  /** A task with its time; it puts itself into the queue again if it repeats. */
  private final class Scheduled<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private long dueNanos;

    /** Positive: from start to start. Negative: from end to start. Zero: once. */
    private final long periodNanos;

    Scheduled(Callable<V> task, long delayNanos, long periodNanos) {
      super(task);
      dueNanos = System.nanoTime() + delayNanos;
      this.periodNanos = periodNanos;
    }

    @Override
    public void run() {
      if (periodNanos == 0) {
        super.run();
      } else if (runAndReset()) {
        dueNanos = periodNanos > 0 ? dueNanos + periodNanos : System.nanoTime() - periodNanos;
        if (!isShutdown()) {
          getQueue().offer(this);
        }
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** Gives out tasks that are due; workers' own first tasks come through it too. */
  private static final class DueQueue extends MonitorQueue<Runnable> {
    DueQueue() {
      super(new java.util.PriorityQueue<>(11, DueQueue::compare), Integer.MAX_VALUE);
    }

    private static long delayNanos(Runnable task) {
      return task instanceof Delayed ? ((Delayed) task).getDelay(TimeUnit.NANOSECONDS) : 0;
    }

    private static int compare(Runnable left, Runnable right) {
      return Long.compare(delayNanos(left), delayNanos(right));
    }

    @Override
    long nanosUntilReady(Runnable head) {
      return delayNanos(head);
    }
  }

  private <V> ScheduledFuture<V> start(Scheduled<V> task) {
    if (isShutdown()) {
      throw new RejectedExecutionException("the executor is shut down");
    }
    getQueue().offer(task);
    execute(() -> {});
    return task;
  }

  private static Callable<Object> callable(Runnable task) {
    return () -> {
      task.run();
      return null;
    };
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return start(new Scheduled<>(callable(task), unit.toNanos(delay), 0));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return start(new Scheduled<>(task, unit.toNanos(delay), 0));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
    return start(new Scheduled<>(callable(task), unit.toNanos(delay), unit.toNanos(period)));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long delay, long pause, TimeUnit unit) {
    return start(new Scheduled<>(callable(task), unit.toNanos(delay), -unit.toNanos(pause)));
  }
}
