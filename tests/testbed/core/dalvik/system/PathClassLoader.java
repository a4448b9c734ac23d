// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** The loader of applications. */
public class PathClassLoader extends BaseDexClassLoader {
  public PathClassLoader(String dexPath, ClassLoader parent) {
    this(dexPath, null, parent);
  }

  public PathClassLoader(String dexPath, String librarySearchPath, ClassLoader parent) {
    super(dexPath, librarySearchPath, parent);
  }
}
