// SPDX-License-Identifier: Apache-2.0
package java.lang;

import dalvik.system.VMStack;
import java.util.ArrayList;
import java.util.List;

/** The running program. */
public class Runtime {
  private static final Runtime CURRENT = new Runtime();

  /** Also read by the launcher, as in Android's class. */
  private List<Thread> shutdownHooks = new ArrayList<>();

  private Runtime() {}

  public static Runtime getRuntime() {
    return CURRENT;
  }

  /** Runs the shutdown hooks and leaves through exit(3), so that native exit handlers run too. */
  public void exit(int status) {
    runShutdownHooks();
    nativeExit(status);
  }

  /** Ends the process at once. */
  public void halt(int status) {
    nativeHalt(status);
  }

  public void addShutdownHook(Thread hook) {
    synchronized (this) {
      shutdownHooks.add(hook);
    }
  }

  public boolean removeShutdownHook(Thread hook) {
    synchronized (this) {
      return shutdownHooks.remove(hook);
    }
  }

  private void runShutdownHooks() {
    List<Thread> hooks;
    synchronized (this) {
      hooks = shutdownHooks;
      shutdownHooks = new ArrayList<>();
    }
    for (Thread hook : hooks) {
      hook.start();
    }
    for (Thread hook : hooks) {
      try {
        hook.join();
      } catch (InterruptedException goOn) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A full collection; it has ended when this returns. */
  public void gc() {
    dalvik.system.VMRuntime.getRuntime().collect();
  }

  public void runFinalization() {
    Daemons.runFinalization();
  }

  public native int availableProcessors();

  /** Limit of the heap, as given to the launcher. */
  public long maxMemory() {
    return Long.parseLong(System.getProperty("testbed.heap.max.bytes", "0"));
  }

  public long totalMemory() {
    return maxMemory();
  }

  public long freeMemory() {
    return totalMemory() - dalvik.system.VMDebug.liveBytes();
  }

  /** Loads a library by its path, so that its JNI_OnLoad runs and its Java_ functions are found. */
  public void load(String path) {
    String problem = nativeLoad(path, VMStack.callingClassLoader(), Object.class);
    if (problem != null) {
      throw new UnsatisfiedLinkError(problem);
    }
  }

  /** Loads lib{name}.so from the library search path. */
  public void loadLibrary(String name) {
    load(System.mapLibraryName(name));
  }

  /** ART finds this by name; it is one of our natives, over ART's own loader. */
  private static native String nativeLoad(String path, ClassLoader loader, Class<?> caller);

  private static native void nativeExit(int status);

  private static native void nativeHalt(int status);
}
