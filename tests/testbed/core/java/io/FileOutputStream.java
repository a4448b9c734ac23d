// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Writes a file, without a buffer. */
public class FileOutputStream extends OutputStream {
  private final FileDescriptor descriptor;

  public FileOutputStream(FileDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  public FileOutputStream(String path) throws FileNotFoundException {
    this(path, false);
  }

  public FileOutputStream(String path, boolean append) throws FileNotFoundException {
    this(FileDescriptor.open(path, append ? OpenFlags.CREATE_AND_APPEND : OpenFlags.CREATE_AND_TRUNCATE));
  }

  public FileOutputStream(File file) throws FileNotFoundException {
    this(file.getPath());
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    descriptor.write(bytes, offset, length);
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
