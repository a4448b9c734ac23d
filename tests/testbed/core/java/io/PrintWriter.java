// SPDX-License-Identifier: Apache-2.0
package java.io;

import java.util.Formatter;

/** Prints text to a writer; errors are only remembered. */
public class PrintWriter extends Writer {
  private final Writer out;
  private boolean trouble;

  public PrintWriter(Writer out) {
    this.out = out;
  }

  public PrintWriter(Writer out, boolean autoFlush) {
    this(out);
  }

  public PrintWriter(OutputStream out) {
    this(new OutputStreamWriter(out));
  }

  public PrintWriter(OutputStream out, boolean autoFlush) {
    this(out);
  }

  public boolean checkError() {
    flush();
    return trouble;
  }

  @Override
  public void write(char[] characters, int offset, int length) {
    try {
      out.write(characters, offset, length);
    } catch (IOException exception) {
      trouble = true;
    }
  }

  @Override
  public void write(String text) {
    write(text.toCharArray(), 0, text.length());
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
      out.close();
    } catch (IOException exception) {
      trouble = true;
    }
  }

  public void print(String text) {
    write(String.valueOf(text));
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

  public PrintWriter printf(String format, Object... arguments) {
    print(new Formatter().format(format, arguments).toString());
    return this;
  }
}
