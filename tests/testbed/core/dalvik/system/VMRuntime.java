// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** ART's runtime controls. */
public final class VMRuntime {
  private static final VMRuntime THE_ONE = new VMRuntime();

  private VMRuntime() {}

  public static VMRuntime getRuntime() {
    return THE_ONE;
  }

  /** The value of ART's -classpath option. */
  public native String classPath();

  public native String bootClassPath();

  public native String vmVersion();

  public native String vmInstructionSet();

  public native boolean is64Bit();

  /** The -D options, each as name=value. */
  public native String[] properties();

  /** A full collection; it has ended when this returns. */
  public void collect() {
    if (Integer.getInteger("testbed.art.release", 14) < 14) {
      concurrentGC();
    } else {
      awaitCollections(2);
    }
  }

  /** Collects on this thread (ART 10 and 11). */
  private native void concurrentGC();

  /** Has the heap task thread collect. */
  public native void requestConcurrentGC();

  /**
   * ART 14 lacks a native that collects at once. The first to end from now on may have begun earlier, the second not.
   */
  private void awaitCollections(int count) {
    boolean interrupted = false;
    long last = VMDebug.collections() + count;
    for (int rounds = 0; VMDebug.collections() < last; rounds++) {
      if (rounds == 10000) {
        throw new IllegalStateException("the heap task thread does not collect");
      }
      requestConcurrentGC();
      try {
        Thread.sleep(1);
      } catch (InterruptedException goOn) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public native void startHeapTaskProcessor();

  public native void stopHeapTaskProcessor();

  /** Runs ART's background collections; returns after {@link #stopHeapTaskProcessor}. */
  public native void runHeapTasks();

  public native Object newNonMovableArray(Class<?> componentType, int length);

  public native long addressOf(Object array);

  /** Called by ART when it wants finalizers to have run. */
  public static void runFinalization(long timeoutMillis) {
    Runtime.getRuntime().runFinalization();
  }

  /** Called by ART when a hidden member is used; everything is allowed here. */
  public static void hiddenApiUsed(
      int samplingValue, String packageName, String signature, int accessMethod, boolean accessDenied) {}
}
