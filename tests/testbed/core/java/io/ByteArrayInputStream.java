// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads an array. */
public class ByteArrayInputStream extends InputStream {
  private final byte[] bytes;
  private final int end;
  private int next;

  public ByteArrayInputStream(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  public ByteArrayInputStream(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    next = offset;
    end = Math.min(offset + length, bytes.length);
  }

  @Override
  public synchronized int read() {
    return next < end ? bytes[next++] & 0xff : -1;
  }

  @Override
  public synchronized int available() {
    return end - next;
  }
}
