// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Stands for the boot class path, which ART itself searches. */
class BootClassLoader extends ClassLoader {
  private static final class Holder {
    static final BootClassLoader INSTANCE = new BootClassLoader();
  }

  private BootClassLoader() {
    super(null);
  }

  static BootClassLoader getInstance() {
    return Holder.INSTANCE;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> loaded = findLoadedClass(name);
    return loaded != null ? loaded : findClass(name);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return Class.classForName(name, false, null);
  }
}
