// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Passes bytes on to another stream. */
public class FilterOutputStream extends OutputStream {
  protected OutputStream out;

  public FilterOutputStream(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int oneByte) throws IOException {
    out.write(oneByte);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }
}
