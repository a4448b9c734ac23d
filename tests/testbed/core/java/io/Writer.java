// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A sink of characters. */
public abstract class Writer implements Appendable, Closeable, Flushable {
  public abstract void write(char[] characters, int offset, int length) throws IOException;

  @Override
  public abstract void flush() throws IOException;

  @Override
  public abstract void close() throws IOException;

  public void write(int character) throws IOException {
    write(new char[] {(char) character}, 0, 1);
  }

  public void write(String text) throws IOException {
    write(text.toCharArray(), 0, text.length());
  }

  public void write(String text, int offset, int length) throws IOException {
    write(text.substring(offset, offset + length));
  }

  @Override
  public Writer append(CharSequence text) throws IOException {
    write(String.valueOf(text));
    return this;
  }

  @Override
  public Writer append(CharSequence text, int start, int end) throws IOException {
    return append(String.valueOf(text).subSequence(start, end));
  }

  @Override
  public Writer append(char character) throws IOException {
    write(character);
    return this;
  }
}
