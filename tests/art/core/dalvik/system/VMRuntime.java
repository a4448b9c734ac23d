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

  /** Collects and returns when it is done. */
  public native void concurrentGC();

  public native void requestConcurrentGC();

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
