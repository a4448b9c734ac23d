// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Gathers bytes and passes them on in blocks. */
public class BufferedOutputStream extends FilterOutputStream {
  private final byte[] buffer;
  private int count;

  public BufferedOutputStream(OutputStream out) {
    this(out, 8192);
  }

  public BufferedOutputStream(OutputStream out, int sizeBytes) {
    super(out);
    buffer = new byte[sizeBytes];
  }

  @Override
  public synchronized void write(int oneByte) throws IOException {
    if (count == buffer.length) {
      flushBuffer();
    }
    buffer[count++] = (byte) oneByte;
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > buffer.length - count) {
      flushBuffer();
    }
    if (length > buffer.length) {
      out.write(bytes, offset, length);
    } else {
      System.arraycopy(bytes, offset, buffer, count, length);
      count += length;
    }
  }

  private void flushBuffer() throws IOException {
    out.write(buffer, 0, count);
    count = 0;
  }

  @Override
  public synchronized void flush() throws IOException {
    flushBuffer();
    out.flush();
  }
}
