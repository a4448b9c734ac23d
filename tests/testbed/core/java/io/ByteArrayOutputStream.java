// SPDX-License-Identifier: Apache-2.0
package java.io;

import java.util.Arrays;

/** Writes to an array that grows. */
public class ByteArrayOutputStream extends OutputStream {
  private byte[] bytes;
  private int count;

  public ByteArrayOutputStream() {
    this(32);
  }

  public ByteArrayOutputStream(int sizeBytes) {
    bytes = new byte[sizeBytes];
  }

  @Override
  public synchronized void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] added, int offset, int length) {
    if (count + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(count + length, bytes.length * 2));
    }
    System.arraycopy(added, offset, bytes, count, length);
    count += length;
  }

  public synchronized void reset() {
    count = 0;
  }

  public synchronized int size() {
    return count;
  }

  public synchronized byte[] toByteArray() {
    return Arrays.copyOf(bytes, count);
  }

  @Override
  public synchronized String toString() {
    return new String(bytes, 0, count);
  }
}
