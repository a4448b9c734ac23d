// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Threads, monitors, and java.util.concurrent. */
public class Threads {
  static int counter;
  static final Object LOCK = new Object();

  static void startAndJoin(int count, Runnable body) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(body, "worker-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static void awaitState(Thread thread, Thread.State state) throws InterruptedException {
    for (int i = 0; i < 500 && thread.getState() != state; i++) {
      Thread.sleep(10);
    }
    System.out.println(thread.getState());
  }

  static void monitors() throws Exception {
    startAndJoin(4, () -> {
      for (int i = 0; i < 2000; i++) {
        synchronized (LOCK) {
          counter++;
        }
      }
    });
    System.out.println(counter);
    Thread waiter = new Thread(() -> {
      synchronized (LOCK) {
        try {
          LOCK.wait();
          System.out.println("notified");
          LOCK.wait(20);
          System.out.println("timed out");
        } catch (InterruptedException exception) {
          System.out.println("interrupted " + Thread.currentThread().isInterrupted());
        }
      }
    });
    System.out.println(waiter.getState() + " " + waiter.isAlive());
    waiter.start();
    awaitState(waiter, Thread.State.WAITING);
    synchronized (LOCK) {
      LOCK.notifyAll();
    }
    waiter.join();
    System.out.println(waiter.getState() + " " + waiter.isAlive());
    Thread sleeper = new Thread(() -> {
      try {
        Thread.sleep(100000);
      } catch (InterruptedException exception) {
        System.out.println("woken " + exception.getClass().getSimpleName());
      }
    });
    sleeper.start();
    awaitState(sleeper, Thread.State.TIMED_WAITING);
    sleeper.interrupt();
    sleeper.join(5000);
    Thread blocked = new Thread(() -> {
      synchronized (LOCK) {
        System.out.println("got it");
      }
    });
    synchronized (LOCK) {
      blocked.start();
      awaitState(blocked, Thread.State.BLOCKED);
    }
    blocked.join();
    Thread.UncaughtExceptionHandler handler = (thread, exception) -> System.out.println(thread.getName() + " died of " + exception.getMessage());
    Thread dying = new Thread(() -> {
      throw new IllegalStateException("boredom");
    }, "victim");
    dying.setUncaughtExceptionHandler(handler);
    dying.setDaemon(true);
    dying.setPriority(7);
    System.out.println(dying.isDaemon() + " " + dying.getPriority());
    dying.start();
    dying.join();
    ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 7);
    local.set(8);
    startAndJoin(1, () -> System.out.println(local.get() + Thread.currentThread().getName()));
    System.out.println(local.get() + Thread.currentThread().getName());
    long start = System.nanoTime();
    Thread.sleep(50);
    System.out.println(System.nanoTime() - start >= 50000000L);
    Thread inside = new Thread(() -> {
      while (!Thread.interrupted()) {
        Thread.yield();
      }
    });
    inside.start();
    Thread.sleep(20);
    StackTraceElement[] trace = inside.getStackTrace();
    System.out.println(trace.length > 0 && trace[trace.length - 1].getMethodName().equals("run"));
    inside.interrupt();
    inside.join();
  }

  static void locks() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    int[] shared = {0};
    startAndJoin(4, () -> {
      for (int i = 0; i < 500; i++) {
        lock.lock();
        try {
          lock.lock();
          shared[0]++;
          lock.unlock();
        } finally {
          lock.unlock();
        }
      }
    });
    System.out.println(shared[0] + " " + lock.isLocked());
    Thread waiter = new Thread(() -> {
      lock.lock();
      try {
        while (shared[0] != -1) {
          changed.await();
        }
        System.out.println("condition met " + changed.await(10, TimeUnit.MILLISECONDS));
      } catch (InterruptedException exception) {
        System.out.println("unexpected");
      } finally {
        lock.unlock();
      }
    });
    waiter.start();
    awaitState(waiter, Thread.State.WAITING);
    lock.lock();
    shared[0] = -1;
    changed.signalAll();
    lock.unlock();
    waiter.join();
    lock.lock();
    Thread other = new Thread(() -> {
      try {
        System.out.println("tryLock " + lock.tryLock() + lock.tryLock(20, TimeUnit.MILLISECONDS));
        lock.lockInterruptibly();
      } catch (InterruptedException exception) {
        System.out.println("lock wait interrupted");
      }
    });
    other.start();
    awaitState(other, Thread.State.WAITING);
    other.interrupt();
    other.join();
    lock.unlock();
    try {
      lock.unlock();
    } catch (IllegalMonitorStateException exception) {
      System.out.println("not the owner");
    }
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    both.readLock().lock();
    Thread[] writer = new Thread[1];
    writer[0] = new Thread(() -> {
      System.out.println("write " + both.writeLock().tryLock());
      both.writeLock().lock();
      System.out.println("written");
      both.writeLock().unlock();
    });
    writer[0].start();
    awaitState(writer[0], Thread.State.WAITING);
    both.readLock().unlock();
    writer[0].join();
    Thread parked = new Thread(() -> {
      LockSupport.park();
      System.out.println("unparked");
    });
    parked.start();
    awaitState(parked, Thread.State.WAITING);
    LockSupport.unpark(parked);
    parked.join();
  }

  static void pools() throws Exception {
    AtomicInteger atomic = new AtomicInteger();
    AtomicLong atomicLong = new AtomicLong(5);
    AtomicReference<String> reference = new AtomicReference<>("a");
    AtomicBoolean flag = new AtomicBoolean();
    startAndJoin(4, () -> {
      for (int i = 0; i < 3000; i++) {
        atomic.incrementAndGet();
        atomicLong.addAndGet(2);
      }
    });
    System.out.println(atomic + " " + atomicLong.get() + reference.compareAndSet("a", "b") + reference.getAndSet("c") + flag.compareAndSet(false, true) + flag.get() + atomic.getAndUpdate(x -> x + 1) + atomic.accumulateAndGet(10, Math::max));
    CountDownLatch latch = new CountDownLatch(3);
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      futures.add(pool.submit(() -> {
        latch.countDown();
        return number * number;
      }));
    }
    int sum = 0;
    for (Future<Integer> future : futures) {
      sum += future.get();
    }
    System.out.println(sum + " " + latch.await(1, TimeUnit.SECONDS) + latch.getCount());
    Future<Object> failing = pool.submit(() -> {
      throw new IllegalStateException("task failed");
    });
    try {
      failing.get(5, TimeUnit.SECONDS);
    } catch (ExecutionException exception) {
      System.out.println(exception.getCause());
    }
    Future<?> slow = pool.submit(() -> {
      Thread.sleep(60000);
      return null;
    });
    try {
      slow.get(20, TimeUnit.MILLISECONDS);
    } catch (TimeoutException exception) {
      System.out.println("timeout " + slow.cancel(true) + slow.isDone());
    }
    pool.shutdown();
    System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + pool.isTerminated());
    try {
      pool.execute(() -> {});
    } catch (RejectedExecutionException exception) {
      System.out.println("rejected");
    }
    ExecutorService single = Executors.newSingleThreadExecutor();
    List<Callable<String>> calls = Arrays.asList(() -> "x", () -> "y");
    for (Future<String> future : single.invokeAll(calls)) {
      System.out.print(future.get());
    }
    System.out.println(single.shutdownNow());
    ExecutorService cached = Executors.newCachedThreadPool();
    CyclicBarrier barrier = new CyclicBarrier(3, () -> System.out.println("all there"));
    for (int i = 0; i < 2; i++) {
      cached.submit(() -> barrier.await());
    }
    barrier.await();
    cached.shutdown();
    System.out.println(cached.awaitTermination(10, TimeUnit.SECONDS));
    ScheduledExecutorService scheduled = Executors.newSingleThreadScheduledExecutor();
    CountDownLatch ticks = new CountDownLatch(3);
    scheduled.scheduleAtFixedRate(ticks::countDown, 5, 5, TimeUnit.MILLISECONDS);
    System.out.println(scheduled.schedule(() -> "late", 20, TimeUnit.MILLISECONDS).get() + ticks.await(5, TimeUnit.SECONDS));
    scheduled.shutdownNow();
    System.out.println(scheduled.awaitTermination(5, TimeUnit.SECONDS));
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    Thread producer = new Thread(() -> {
      try {
        for (int i = 0; i < 6; i++) {
          queue.put(i);
        }
      } catch (InterruptedException exception) {
        System.out.println("unexpected");
      }
    });
    producer.start();
    int taken = 0;
    for (int i = 0; i < 6; i++) {
      taken = taken * 10 + queue.take();
    }
    System.out.println(taken + " " + queue.poll(10, TimeUnit.MILLISECONDS) + queue.offer(1) + queue.offer(2) + queue.offer(3) + queue.remainingCapacity());
    LinkedBlockingQueue<String> linked = new LinkedBlockingQueue<>();
    linked.add("z");
    linked.offer("y");
    List<String> drained = new ArrayList<>();
    System.out.println(linked.drainTo(drained) + "" + drained + linked.peek());
    Semaphore semaphore = new Semaphore(2);
    semaphore.acquire();
    System.out.println(semaphore.tryAcquire() + " " + semaphore.tryAcquire() + semaphore.tryAcquire(5, TimeUnit.MILLISECONDS));
    semaphore.release(2);
    System.out.println(semaphore.availablePermits() + " " + TimeUnit.MINUTES.toMillis(2) + TimeUnit.NANOSECONDS.toMicros(2500) + TimeUnit.SECONDS.convert(1500, TimeUnit.MILLISECONDS));
    ConcurrentHashMap<Integer, Integer> counts = new ConcurrentHashMap<>();
    startAndJoin(4, () -> {
      for (int i = 0; i < 1000; i++) {
        counts.merge(i % 10, 1, Integer::sum);
      }
    });
    System.out.println(counts);
  }

  public static void main(String[] args) throws Exception {
    monitors();
    locks();
    pools();
  }
}
