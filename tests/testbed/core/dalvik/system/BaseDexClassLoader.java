// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

import java.nio.ByteBuffer;

/** Loads classes from dex files. ART walks {@link #pathList} without calling Java code. */
public class BaseDexClassLoader extends ClassLoader {
  private final DexPathList pathList;
  private final String librarySearchPath;

  /** Read by ART; always unset, since shared libraries are not supported. */
  private ClassLoader[] sharedLibraryLoaders;

  public BaseDexClassLoader(String dexPath, String librarySearchPath, ClassLoader parent) {
    super(parent);
    this.librarySearchPath = librarySearchPath;
    pathList = new DexPathList(dexPath, this);
  }

  BaseDexClassLoader(ByteBuffer[] buffers, String librarySearchPath, ClassLoader parent) {
    super(parent);
    this.librarySearchPath = librarySearchPath;
    pathList = new DexPathList(buffers, this);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    Class<?> found = pathList.findClass(name, this);
    if (found == null) {
      throw new ClassNotFoundException("Didn't find class \"" + name + "\" in " + this);
    }
    return found;
  }

  /** Called by ART when it loads a native library for this loader. */
  public String getLdLibraryPath() {
    return librarySearchPath == null ? "" : librarySearchPath;
  }
}
