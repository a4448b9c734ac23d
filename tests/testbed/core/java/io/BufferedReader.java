// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads lines. */
public class BufferedReader extends Reader {
  private final Reader in;
  private boolean skipLineFeed;

  public BufferedReader(Reader in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    int next = in.read();
    if (next == '\n' && skipLineFeed) {
      next = in.read();
    }
    skipLineFeed = false;
    return next;
  }

  @Override
  public int read(char[] characters, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      int next = read();
      if (next < 0) {
        break;
      }
      characters[offset + count++] = (char) next;
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  /** The next line without its end, or null. */
  public String readLine() throws IOException {
    int next = read();
    if (next < 0) {
      return null;
    }
    StringBuilder line = new StringBuilder();
    while (next >= 0 && next != '\n' && next != '\r') {
      line.append((char) next);
      next = read();
    }
    skipLineFeed = next == '\r';
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
