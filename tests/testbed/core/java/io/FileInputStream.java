// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads a file. */
public class FileInputStream extends InputStream {
  private final FileDescriptor descriptor;

  public FileInputStream(FileDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  public FileInputStream(String path) throws FileNotFoundException {
    this(FileDescriptor.open(path, OpenFlags.READ));
  }

  public FileInputStream(File file) throws FileNotFoundException {
    this(file.getPath());
  }

  public final FileDescriptor getFD() {
    return descriptor;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count = descriptor.read(bytes, offset, length);
    return count == 0 ? -1 : count;
  }

  @Override
  public int available() throws IOException {
    return descriptor.available();
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
