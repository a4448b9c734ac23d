// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A sink of bytes. */
public abstract class OutputStream implements Closeable, Flushable {
  public abstract void write(int oneByte) throws IOException;

  public void write(byte[] bytes) throws IOException {
    write(bytes, 0, bytes.length);
  }

  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      write(bytes[offset + i]);
    }
  }

  @Override
  public void flush() throws IOException {}

  @Override
  public void close() throws IOException {}
}
