// SPDX-License-Identifier: Apache-2.0
package java.lang;

import dalvik.system.VMStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import libcore.util.EmptyArray;

/**
 * A thread. ART creates one for each native thread that attaches, and reads and writes the fields up to
 * {@code unparkedBeforeStart} by name.
 */
public class Thread implements Runnable {
  /** In the order of the numbers that {@link #nativeGetStatus} returns. */
  public enum State {
    NEW,
    RUNNABLE,
    BLOCKED,
    WAITING,
    TIMED_WAITING,
    TERMINATED
  }

  /** Told about an exception that ends a thread. */
  @FunctionalInterface
  public interface UncaughtExceptionHandler {
    void uncaughtException(Thread thread, Throwable exception);
  }

  public static final int MIN_PRIORITY = 1;
  public static final int NORM_PRIORITY = 5;
  public static final int MAX_PRIORITY = 10;

  private static final Object NUMBERS = new Object();
  private static int nextName;
  private static long nextId;
  private static volatile UncaughtExceptionHandler defaultHandler;

  /** ART notifies this object when the thread has ended. */
  private final Object lock = new Object();

  private volatile String name;
  private int priority = NORM_PRIORITY;
  private boolean daemon;
  private boolean systemDaemon;
  private ThreadGroup group;
  private ClassLoader contextClassLoader;

  /** ART's Thread*, 0 before the start and after the end. */
  private volatile long nativePeer;

  volatile Object parkBlocker;
  private boolean unparkedBeforeStart;

  private final Runnable target;
  private final long id = takeId();
  private boolean started;
  private volatile UncaughtExceptionHandler handler;

  /** Values of ThreadLocals; only this thread touches it. */
  Map<ThreadLocal<?>, Object> locals;

  public Thread() {
    this(null, null, (String) null);
  }

  public Thread(Runnable target) {
    this(null, target, (String) null);
  }

  public Thread(String name) {
    this(null, null, name);
  }

  public Thread(Runnable target, String name) {
    this(null, target, name);
  }

  public Thread(ThreadGroup group, Runnable target) {
    this(group, target, (String) null);
  }

  public Thread(ThreadGroup group, String name) {
    this(group, null, name);
  }

  public Thread(ThreadGroup group, Runnable target, String name, long stackSizeBytes) {
    this(group, target, name);
  }

  public Thread(ThreadGroup group, Runnable target, String name) {
    Thread creator = currentThread();
    this.group = group == null ? creator.getThreadGroup() : group;
    this.target = target;
    this.name = name == null ? "Thread-" + takeNameNumber() : name;
    daemon = creator.daemon;
    priority = creator.priority;
    contextClassLoader = creator.contextClassLoader;
  }

  /** Called by ART for a native thread that attaches. */
  Thread(ThreadGroup group, String name, int priority, boolean daemon) {
    this.group = group;
    this.name = name == null ? "Thread-" + takeNameNumber() : name;
    this.priority = priority;
    this.daemon = daemon;
    target = null;
    started = true;
    group.add(this);
  }

  private static int takeNameNumber() {
    synchronized (NUMBERS) {
      return nextName++;
    }
  }

  private static long takeId() {
    synchronized (NUMBERS) {
      return ++nextId;
    }
  }

  public static native Thread currentThread();

  @Override
  public void run() {
    if (target != null) {
      target.run();
    }
  }

  public synchronized void start() {
    if (started) {
      throw new IllegalThreadStateException("Thread already started");
    }
    started = true;
    group.add(this);
    boolean created = false;
    try {
      nativeCreate(this, 0, daemon);
      created = true;
    } finally {
      if (!created) {
        group.threadTerminated(this);
      }
    }
  }

  public final void join() throws InterruptedException {
    join(0);
  }

  public final void join(long timeoutMillis) throws InterruptedException {
    long start = System.currentTimeMillis();
    synchronized (lock) {
      while (isAlive()) {
        long left = timeoutMillis == 0 ? 0 : timeoutMillis - (System.currentTimeMillis() - start);
        if (left < 0 || timeoutMillis != 0 && left == 0) {
          return;
        }
        lock.wait(left);
      }
    }
  }

  public final boolean isAlive() {
    return nativePeer != 0;
  }

  public State getState() {
    return State.values()[nativeGetStatus(started)];
  }

  public static void sleep(long millis) throws InterruptedException {
    sleep(millis, 0);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("millis < 0: " + millis);
    }
    if (millis == 0 && nanos == 0) {
      if (interrupted()) {
        throw new InterruptedException();
      }
      return;
    }
    long end = System.nanoTime() + millis * 1000000 + nanos;
    Object sleeper = currentThread().lock;
    synchronized (sleeper) {
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        sleep(sleeper, left / 1000000, (int) (left % 1000000));
      }
    }
  }

  private static native void sleep(Object lock, long millis, int nanos);

  public static native void yield();

  public void interrupt() {
    interrupt0();
  }

  public native boolean isInterrupted();

  public static native boolean interrupted();

  public static native boolean holdsLock(Object object);

  public final String getName() {
    return name;
  }

  public final void setName(String newName) {
    if (newName == null) {
      throw new NullPointerException("name == null");
    }
    synchronized (this) {
      name = newName;
      if (isAlive()) {
        setNativeName(newName);
      }
    }
  }

  public long getId() {
    return id;
  }

  public final int getPriority() {
    return priority;
  }

  public final void setPriority(int newPriority) {
    if (newPriority < MIN_PRIORITY || newPriority > MAX_PRIORITY) {
      throw new IllegalArgumentException("Priority out of range: " + newPriority);
    }
    synchronized (this) {
      priority = newPriority;
      if (isAlive()) {
        setPriority0(newPriority);
      }
    }
  }

  public final boolean isDaemon() {
    return daemon;
  }

  public final void setDaemon(boolean on) {
    if (isAlive()) {
      throw new IllegalThreadStateException("Thread already started");
    }
    daemon = on;
  }

  public final ThreadGroup getThreadGroup() {
    return getState() == State.TERMINATED ? null : group;
  }

  public ClassLoader getContextClassLoader() {
    return contextClassLoader;
  }

  public void setContextClassLoader(ClassLoader loader) {
    contextClassLoader = loader;
  }

  public StackTraceElement[] getStackTrace() {
    StackTraceElement[] trace = VMStack.getThreadStackTrace(this);
    return trace == null ? EmptyArray.STACK_TRACE_ELEMENT : trace;
  }

  public static Map<Thread, StackTraceElement[]> getAllStackTraces() {
    List<Thread> threads = new ArrayList<>();
    ThreadGroup.systemThreadGroup.collect(threads);
    Map<Thread, StackTraceElement[]> traces = new HashMap<>();
    for (Thread thread : threads) {
      traces.put(thread, thread.getStackTrace());
    }
    return traces;
  }

  public static void dumpStack() {
    new Exception("Stack trace").printStackTrace();
  }

  public static UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
    return defaultHandler;
  }

  public static void setDefaultUncaughtExceptionHandler(UncaughtExceptionHandler newHandler) {
    defaultHandler = newHandler;
  }

  public UncaughtExceptionHandler getUncaughtExceptionHandler() {
    return handler == null ? group : handler;
  }

  public void setUncaughtExceptionHandler(UncaughtExceptionHandler newHandler) {
    handler = newHandler;
  }

  /** Called by ART, or by the launcher for the main thread, with the exception that ends the thread. */
  public final void dispatchUncaughtException(Throwable exception) {
    getUncaughtExceptionHandler().uncaughtException(this, exception);
  }

  @Override
  public String toString() {
    ThreadGroup own = getThreadGroup();
    return "Thread[" + name + "," + priority + "," + (own == null ? "" : own.getName()) + "]";
  }

  private static native void nativeCreate(Thread thread, long stackSizeBytes, boolean daemon);

  private native int nativeGetStatus(boolean hasBeenStarted);

  private native void setNativeName(String name);

  private native void setPriority0(int priority);

  private native void interrupt0();
}
