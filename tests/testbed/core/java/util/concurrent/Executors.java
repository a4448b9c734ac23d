// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import java.util.concurrent.atomic.AtomicInteger;

/** Makes executors. */
public class Executors {
  private static final AtomicInteger POOLS = new AtomicInteger();

  public static ExecutorService newFixedThreadPool(int threads) {
    return newFixedThreadPool(threads, defaultThreadFactory());
  }

  public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
    return new ThreadPoolExecutor(
        threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
  }

  public static ExecutorService newSingleThreadExecutor() {
    return newFixedThreadPool(1);
  }

  public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
    return newFixedThreadPool(1, factory);
  }

  public static ExecutorService newCachedThreadPool() {
    return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  }

  public static ScheduledExecutorService newScheduledThreadPool(int threads) {
    return new ScheduledThreadPoolExecutor(threads);
  }

  public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
    return newScheduledThreadPool(1);
  }

  /** Names threads pool-N-thread-M. */
  public static ThreadFactory defaultThreadFactory() {
    int pool = POOLS.incrementAndGet();
    AtomicInteger threads = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "pool-" + pool + "-thread-" + threads.incrementAndGet());
      thread.setDaemon(false);
      return thread;
    };
  }

  private Executors() {}
}
