// SPDX-License-Identifier: Apache-2.0
package java.lang;

import dalvik.system.VMRuntime;
import java.lang.ref.FinalizerReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** The threads that serve the garbage collector. ART calls start, stop and waitForDaemonStart. */
final class Daemons {
  private static final Daemon[] ALL = {
    new Daemon("HeapTaskDaemon") {
      @Override
      void serve() {
        // ART treats the calling thread as the one that runs the tasks, and never suspends it.
        VMRuntime.getRuntime().startHeapTaskProcessor();
        VMRuntime.getRuntime().runHeapTasks();
      }
    },
    new Daemon("ReferenceQueueDaemon") {
      @Override
      void serve() throws InterruptedException {
        ReferenceQueue.enqueuePendingForever();
      }
    },
    new Daemon("FinalizerDaemon") {
      @Override
      void serve() throws InterruptedException {
        while (true) {
          finalizeOne(FinalizerReference.queue.remove());
        }
      }
    }
  };

  private abstract static class Daemon implements Runnable {
    private final String name;

    Daemon(String name) {
      this.name = name;
    }

    abstract void serve() throws InterruptedException;

    @Override
    public void run() {
      try {
        serve();
      } catch (InterruptedException stopped) {
        return;
      }
    }

    void start() {
      Thread thread = new Thread(ThreadGroup.systemThreadGroup, this, name);
      thread.setDaemon(true);
      thread.start();
    }
  }

  static void start() {
    for (Daemon daemon : ALL) {
      daemon.start();
    }
  }

  /** ART calls this when it is destroyed, which the launcher never does. */
  static void stop() {
    VMRuntime.getRuntime().stopHeapTaskProcessor();
  }

  static void waitForDaemonStart() {}

  static void runFinalization() {
    Reference<?> reference = FinalizerReference.queue.poll();
    while (reference != null) {
      finalizeOne(reference);
      reference = FinalizerReference.queue.poll();
    }
  }

  private static void finalizeOne(Reference<?> reference) {
    FinalizerReference<?> finalizer = (FinalizerReference<?>) reference;
    Object object = finalizer.takeObject();
    if (object != null) {
      try {
        object.finalize();
      } catch (Throwable ignoredByContract) {
        return;
      }
    }
  }

  private Daemons() {}
}
