// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads another stream in blocks. */
public class BufferedInputStream extends InputStream {
  private final InputStream in;
  private final byte[] buffer = new byte[8192];
  private int next;
  private int end;

  public BufferedInputStream(InputStream in) {
    this.in = in;
  }

  @Override
  public synchronized int read() throws IOException {
    if (next == end) {
      next = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
      if (end == 0) {
        return -1;
      }
    }
    return buffer[next++] & 0xff;
  }

  @Override
  public synchronized int available() throws IOException {
    return end - next + in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
