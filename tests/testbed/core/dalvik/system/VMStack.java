// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** ART's view of thread stacks. */
public final class VMStack {
  public static native StackTraceElement[] getThreadStackTrace(Thread thread);

  /** The loader of the closest caller that is not part of the boot class path, or the system loader. */
  public static ClassLoader callingClassLoader() {
    ClassLoader loader = getClosestUserClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  private static native ClassLoader getClosestUserClassLoader();

  private VMStack() {}
}
