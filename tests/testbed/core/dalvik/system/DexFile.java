// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Dex files that ART has opened: a jar or dex file's, or buffers'. */
public final class DexFile {
  /** ART's own handle: an array of native addresses. */
  private final Object mCookie;

  private final String mFileName;

  DexFile(String fileName, ClassLoader loader, DexPathList.Element[] elements) throws IOException {
    mCookie = openDexFileNative(fileName, null, 0, loader, elements);
    mFileName = fileName;
  }

  DexFile(ByteBuffer[] buffers, ClassLoader loader, DexPathList.Element[] elements) throws IOException {
    byte[][] arrays = new byte[buffers.length][];
    int[] starts = new int[buffers.length];
    int[] ends = new int[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      arrays[i] = buffers[i].isDirect() ? null : buffers[i].array();
      starts[i] = buffers[i].position();
      ends[i] = buffers[i].limit();
    }
    mCookie = openInMemoryDexFilesNative(buffers, arrays, starts, ends, loader, elements);
    mFileName = null;
  }

  /** The class of that name, or null if it is not in here. */
  Class<?> loadClass(String name, ClassLoader loader) {
    try {
      return defineClassNative(name.replace('.', '/'), loader, mCookie, this);
    } catch (ClassNotFoundException notHere) {
      return null;
    }
  }

  /** Unmaps the files. ART keeps those whose classes are still there (closeDexFile, ART 10 to 14). */
  @Override
  protected void finalize() {
    if (mCookie != null) {
      closeDexFile(mCookie);
    }
  }

  @Override
  public String toString() {
    return mFileName == null ? "InMemoryDexFile" : mFileName;
  }

  private static native Object openDexFileNative(
      String source, String output, int flags, ClassLoader loader, DexPathList.Element[] elements)
      throws IOException;

  private static native Object openInMemoryDexFilesNative(
      ByteBuffer[] buffers,
      byte[][] arrays,
      int[] starts,
      int[] ends,
      ClassLoader loader,
      DexPathList.Element[] elements)
      throws IOException;

  private static native boolean closeDexFile(Object cookie);

  private static native Class<?> defineClassNative(
      String name, ClassLoader loader, Object cookie, DexFile file) throws ClassNotFoundException;
}
