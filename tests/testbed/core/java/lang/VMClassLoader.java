// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** ART's part of class loading. */
final class VMClassLoader {
  static native Class<?> findLoadedClass(ClassLoader loader, String name);

  private VMClassLoader() {}
}
