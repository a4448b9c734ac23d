// SPDX-License-Identifier: Apache-2.0
package java.io;

import java.util.Formatter;
import libcore.util.Utf8;

/** Prints text as UTF-8; each call is one write, and errors are only remembered. */
public class PrintStream extends FilterOutputStream implements Appendable {
  private boolean trouble;

  public PrintStream(OutputStream out) {
    super(out);
  }

  public PrintStream(OutputStream out, boolean autoFlush) {
    super(out);
  }

  public PrintStream(String path) throws FileNotFoundException {
    super(new FileOutputStream(path));
  }

  public boolean checkError() {
    flush();
    return trouble;
  }

  @Override
  public synchronized void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException exception) {
      trouble = true;
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException exception) {
      trouble = true;
    }
  }

  @Override
  public void close() {
    try {
      super.close();
    } catch (IOException exception) {
      trouble = true;
    }
  }

  public void print(String text) {
    byte[] bytes = Utf8.encode(String.valueOf(text));
    write(bytes, 0, bytes.length);
  }

  public void println() {
    print("\n");
  }

  public void println(String text) {
    print(text + "\n");
  }

  public void print(boolean value) {
    print(String.valueOf(value));
  }

  public void println(boolean value) {
    println(String.valueOf(value));
  }

  public void print(char value) {
    print(String.valueOf(value));
  }

  public void println(char value) {
    println(String.valueOf(value));
  }

  public void print(int value) {
    print(String.valueOf(value));
  }

  public void println(int value) {
    println(String.valueOf(value));
  }

  public void print(long value) {
    print(String.valueOf(value));
  }

  public void println(long value) {
    println(String.valueOf(value));
  }

  public void print(float value) {
    print(String.valueOf(value));
  }

  public void println(float value) {
    println(String.valueOf(value));
  }

  public void print(double value) {
    print(String.valueOf(value));
  }

  public void println(double value) {
    println(String.valueOf(value));
  }

  public void print(char[] value) {
    print(String.valueOf(value));
  }

  public void println(char[] value) {
    println(String.valueOf(value));
  }

  public void print(Object value) {
    print(String.valueOf(value));
  }

  public void println(Object value) {
    println(String.valueOf(value));
  }

  public PrintStream printf(String format, Object... arguments) {
    print(new Formatter().format(format, arguments).toString());
    return this;
  }

  public PrintStream format(String format, Object... arguments) {
    return printf(format, arguments);
  }

  @Override
  public PrintStream append(CharSequence text) {
    print(String.valueOf(text));
    return this;
  }

  @Override
  public PrintStream append(CharSequence text, int start, int end) {
    return append(String.valueOf(text).subSequence(start, end));
  }

  @Override
  public PrintStream append(char character) {
    print(character);
    return this;
  }
}
