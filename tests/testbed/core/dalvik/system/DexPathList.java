// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The dex files of one class loader, in order. ART reads the fields. */
final class DexPathList {
  static final class Element {
    private final DexFile dexFile;

    Element(DexFile dexFile) {
      this.dexFile = dexFile;
    }
  }

  private Element[] dexElements;

  /** dex2oat sets it where it makes a loader (ClassLinker::CreateWellKnownClassLoader). */
  private java.util.List<String> nativeLibraryDirectories;

  /** Opens the files of {@code path}, which colons separate. */
  DexPathList(String path, ClassLoader loader) {
    String[] names = path == null || path.isEmpty() || path.equals(".") ? new String[0] : path.split(":");
    dexElements = new Element[names.length];
    for (int i = 0; i < names.length; i++) {
      try {
        dexElements[i] = new Element(new DexFile(names[i], loader, null));
      } catch (IOException exception) {
        throw new IllegalArgumentException("cannot open " + names[i], exception);
      }
    }
  }

  DexPathList(ByteBuffer[] buffers, ClassLoader loader) {
    try {
      dexElements = new Element[] {new Element(new DexFile(buffers, loader, null))};
    } catch (IOException exception) {
      throw new IllegalArgumentException("cannot open the dex data", exception);
    }
  }

  Class<?> findClass(String name, ClassLoader loader) {
    for (Element element : dexElements) {
      Class<?> found = element.dexFile.loadClass(name, loader);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
