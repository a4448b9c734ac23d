// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Writes to a string. */
public class StringWriter extends Writer {
  private final StringBuffer buffer = new StringBuffer();

  @Override
  public void write(char[] characters, int offset, int length) {
    buffer.append(characters, offset, length);
  }

  @Override
  public void write(String text) {
    buffer.append(text);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  public StringBuffer getBuffer() {
    return buffer;
  }

  @Override
  public String toString() {
    return buffer.toString();
  }
}
