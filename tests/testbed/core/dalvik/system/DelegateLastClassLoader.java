// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** Looks in its own dex files before it asks its parent. */
public final class DelegateLastClassLoader extends PathClassLoader {
  public DelegateLastClassLoader(String dexPath, ClassLoader parent) {
    super(dexPath, parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) {
      return loaded;
    }
    try {
      return Object.class.getClassLoader().loadClass(name);
    } catch (ClassNotFoundException notInBoot) {
      try {
        return findClass(name);
      } catch (ClassNotFoundException notHere) {
        return getParent().loadClass(name);
      }
    }
  }
}
