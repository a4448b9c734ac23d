// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A source of characters. */
public abstract class Reader implements Closeable {
  /** The number of characters read, or -1 at the end. */
  public abstract int read(char[] characters, int offset, int length) throws IOException;

  public int read() throws IOException {
    char[] one = new char[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }
}
