// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A source of bytes. */
public abstract class InputStream implements Closeable {
  /** The next byte, or -1 at the end. */
  public abstract int read() throws IOException;

  public int read(byte[] bytes) throws IOException {
    return read(bytes, 0, bytes.length);
  }

  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      int next = read();
      if (next < 0) {
        break;
      }
      bytes[offset + count++] = (byte) next;
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  public long skip(long wanted) throws IOException {
    long skipped = 0;
    while (skipped < wanted && read() >= 0) {
      skipped++;
    }
    return skipped;
  }

  public int available() throws IOException {
    return 0;
  }

  @Override
  public void close() throws IOException {}
}
