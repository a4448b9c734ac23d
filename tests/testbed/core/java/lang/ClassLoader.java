// SPDX-License-Identifier: Apache-2.0
package java.lang;

import dalvik.system.PathClassLoader;
import dalvik.system.VMRuntime;

/** Finds classes, the parent first. ART lays it out in C++ too (runtime/mirror/class_loader.h). */
public abstract class ClassLoader {
  private final ClassLoader parent;

  private static final class SystemLoader {
    static final ClassLoader INSTANCE =
        new PathClassLoader(VMRuntime.getRuntime().classPath(), null, BootClassLoader.getInstance());
  }

  protected ClassLoader() {
    this(getSystemClassLoader());
  }

  protected ClassLoader(ClassLoader parent) {
    this.parent = parent;
  }

  /** The loader of the application, whose class path is the launcher's -cp. */
  public static ClassLoader getSystemClassLoader() {
    return SystemLoader.INSTANCE;
  }

  public final ClassLoader getParent() {
    return parent;
  }

  public Class<?> loadClass(String name) throws ClassNotFoundException {
    return loadClass(name, false);
  }

  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) {
      return loaded;
    }
    try {
      return (parent == null ? BootClassLoader.getInstance() : parent).loadClass(name);
    } catch (ClassNotFoundException notInParent) {
      return findClass(name);
    }
  }

  protected Class<?> findClass(String name) throws ClassNotFoundException {
    throw new ClassNotFoundException(name);
  }

  protected final Class<?> findLoadedClass(String name) {
    return VMClassLoader.findLoadedClass(this instanceof BootClassLoader ? null : this, name);
  }
}
