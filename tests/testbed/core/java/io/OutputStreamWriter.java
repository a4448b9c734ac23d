// SPDX-License-Identifier: Apache-2.0
package java.io;

import java.nio.charset.Charset;

/** Writes characters to a stream of bytes. */
public class OutputStreamWriter extends Writer {
  private final OutputStream out;
  private final Charset charset;

  public OutputStreamWriter(OutputStream out) {
    this(out, Charset.defaultCharset());
  }

  public OutputStreamWriter(OutputStream out, Charset charset) {
    this.out = out;
    this.charset = charset;
  }

  @Override
  public void write(char[] characters, int offset, int length) throws IOException {
    out.write(charset.encodeToBytes(new String(characters, offset, length)));
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
