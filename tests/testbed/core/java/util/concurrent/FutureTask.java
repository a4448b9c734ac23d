// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Runs a task once and keeps its result. */
public class FutureTask<V> implements RunnableFuture<V> {
  private enum Stage {
    WAITING,
    RUNNING,
    DONE,
    CANCELLED
  }

  private final Callable<V> task;
  private Stage stage = Stage.WAITING;
  private Thread runner;
  private V result;
  private Throwable failure;

  public FutureTask(Callable<V> task) {
    this.task = java.util.Objects.requireNonNull(task);
  }

  public FutureTask(Runnable task, V result) {
    this(
        () -> {
          task.run();
          return result;
        });
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    V value = null;
    Throwable thrown = null;
    try {
      value = task.call();
    } catch (Throwable exception) {
      thrown = exception;
    }
    finish(value, thrown);
  }

  /** Runs without keeping a result; false if the task threw or was cancelled. */
  boolean runAndReset() {
    if (!begin()) {
      return false;
    }
    try {
      task.call();
    } catch (Throwable exception) {
      finish(null, exception);
      return false;
    }
    synchronized (this) {
      boolean goesOn = stage == Stage.RUNNING;
      stage = goesOn ? Stage.WAITING : stage;
      runner = null;
      return goesOn;
    }
  }

  private boolean begin() {
    synchronized (this) {
      boolean first = stage == Stage.WAITING;
      if (first) {
        stage = Stage.RUNNING;
        runner = Thread.currentThread();
      }
      return first;
    }
  }

  private void finish(V value, Throwable thrown) {
    synchronized (this) {
      if (stage == Stage.RUNNING) {
        stage = Stage.DONE;
        result = value;
        failure = thrown;
      }
      runner = null;
      notifyAll();
    }
    done();
  }

  protected void done() {}

  @Override
  public boolean cancel(boolean mayInterrupt) {
    synchronized (this) {
      if (isDone()) {
        return false;
      }
      if (mayInterrupt && runner != null) {
        runner.interrupt();
      }
      stage = Stage.CANCELLED;
      notifyAll();
      return true;
    }
  }

  @Override
  public boolean isCancelled() {
    synchronized (this) {
      return stage == Stage.CANCELLED;
    }
  }

  @Override
  public boolean isDone() {
    synchronized (this) {
      return stage == Stage.DONE || stage == Stage.CANCELLED;
    }
  }

  @Override
  public V get() throws InterruptedException, ExecutionException {
    synchronized (this) {
      while (!isDone()) {
        wait();
      }
      return report();
    }
  }

  @Override
  public V get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = System.nanoTime() + unit.toNanos(time);
    synchronized (this) {
      while (!isDone()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new TimeoutException();
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return report();
    }
  }

  private V report() throws ExecutionException {
    if (stage == Stage.CANCELLED) {
      throw new CancellationException();
    }
    if (failure != null) {
      throw new ExecutionException(failure);
    }
    return result;
  }
}
