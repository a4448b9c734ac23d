// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The parts of an executor service that follow from execute. */
public abstract class AbstractExecutorService implements ExecutorService {
  @Override
  public <T> Future<T> submit(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    execute(future);
    return future;
  }

  @Override
  public <T> Future<T> submit(Runnable task, T result) {
    FutureTask<T> future = new FutureTask<>(task, result);
    execute(future);
    return future;
  }

  @Override
  public Future<?> submit(Runnable task) {
    return submit(task, null);
  }

  @Override
  public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      futures.add(submit(task));
    }
    for (Future<T> future : futures) {
      try {
        future.get();
      } catch (ExecutionException | CancellationException seenByTheCaller) {
        continue;
      }
    }
    return futures;
  }
}
