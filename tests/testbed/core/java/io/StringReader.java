// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads a string. */
public class StringReader extends Reader {
  private final String text;
  private int next;

  public StringReader(String text) {
    this.text = text;
  }

  @Override
  public int read(char[] characters, int offset, int length) {
    int count = Math.min(length, text.length() - next);
    if (count <= 0) {
      return length == 0 ? 0 : -1;
    }
    text.getChars(next, next + count, characters, offset);
    next += count;
    return count;
  }

  @Override
  public void close() {}
}
