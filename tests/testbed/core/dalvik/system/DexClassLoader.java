// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** Loads from a path given at run time. */
public class DexClassLoader extends BaseDexClassLoader {
  public DexClassLoader(
      String dexPath, String optimizedDirectory, String librarySearchPath, ClassLoader parent) {
    super(dexPath, librarySearchPath, parent);
  }
}
