// SPDX-License-Identifier: Apache-2.0
package java.io;

/** An open file. ART reads and writes the fields. */
public final class FileDescriptor {
  public static final FileDescriptor in = new FileDescriptor(0);
  public static final FileDescriptor out = new FileDescriptor(1);
  public static final FileDescriptor err = new FileDescriptor(2);

  private int descriptor;
  private long ownerId;

  public FileDescriptor() {
    descriptor = -1;
  }

  FileDescriptor(int descriptor) {
    this.descriptor = descriptor;
  }

  public boolean valid() {
    return descriptor >= 0;
  }

  /** Opens with the flags of open(2). */
  static FileDescriptor open(String path, int flags) throws FileNotFoundException {
    int opened = openNative(path, flags);
    if (opened < 0) {
      throw new FileNotFoundException(path + ": open failed, errno " + -opened);
    }
    return new FileDescriptor(opened);
  }

  /** The number of bytes read, 0 at the end of the file. */
  int read(byte[] bytes, int offset, int length) throws IOException {
    return checked(readNative(descriptor, bytes, offset, length));
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    checked(writeNative(descriptor, bytes, offset, length));
  }

  /** Bytes that can be read without waiting, as the kernel reports. */
  int available() throws IOException {
    return checked(availableNative(descriptor));
  }

  void close() {
    if (descriptor > 2) {
      closeNative(descriptor);
    }
    descriptor = -1;
  }

  private static int checked(int result) throws IOException {
    if (result < 0) {
      throw new IOException("errno " + -result);
    }
    return result;
  }

  private static native int openNative(String path, int flags);

  private static native int readNative(int descriptor, byte[] bytes, int offset, int length);

  /** Writes all or fails. */
  private static native int writeNative(int descriptor, byte[] bytes, int offset, int length);

  private static native int availableNative(int descriptor);

  private static native void closeNative(int descriptor);
}
