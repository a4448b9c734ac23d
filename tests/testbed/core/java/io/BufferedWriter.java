// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Gathers characters and passes them on in blocks. */
public class BufferedWriter extends Writer {
  private static final int BLOCK = 8192;

  private final Writer out;
  private final StringBuilder buffer = new StringBuilder();

  public BufferedWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void write(char[] characters, int offset, int length) throws IOException {
    buffer.append(characters, offset, length);
    if (buffer.length() >= BLOCK) {
      flushBuffer();
    }
  }

  public void newLine() throws IOException {
    write("\n");
  }

  private void flushBuffer() throws IOException {
    out.write(buffer.toString());
    buffer.setLength(0);
  }

  @Override
  public void flush() throws IOException {
    flushBuffer();
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }
}
