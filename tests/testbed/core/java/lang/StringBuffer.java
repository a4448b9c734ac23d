// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Text that grows and that several threads may share: a StringBuilder behind a lock. */
public final class StringBuffer implements java.io.Serializable, CharSequence, Appendable {
  private final StringBuilder builder;

  public StringBuffer() {
    builder = new StringBuilder();
  }

  public StringBuffer(int capacity) {
    builder = new StringBuilder(capacity);
  }

  public StringBuffer(String text) {
    builder = new StringBuilder(text);
  }

  public StringBuffer(CharSequence text) {
    builder = new StringBuilder(text);
  }

  @Override
  public synchronized int length() {
    return builder.length();
  }

  public synchronized int capacity() {
    return builder.capacity();
  }

  public synchronized void ensureCapacity(int wanted) {
    builder.ensureCapacity(wanted);
  }

  public synchronized void trimToSize() {
    builder.trimToSize();
  }

  public synchronized void setLength(int length) {
    builder.setLength(length);
  }

  @Override
  public synchronized char charAt(int index) {
    return builder.charAt(index);
  }

  public synchronized void setCharAt(int index, char character) {
    builder.setCharAt(index, character);
  }

  public synchronized int codePointAt(int index) {
    return builder.codePointAt(index);
  }

  public synchronized StringBuffer append(Object object) {
    builder.append(object);
    return this;
  }

  public synchronized StringBuffer append(String text) {
    builder.append(text);
    return this;
  }

  public synchronized StringBuffer append(StringBuffer text) {
    builder.append(text);
    return this;
  }

  @Override
  public synchronized StringBuffer append(CharSequence text) {
    builder.append(text);
    return this;
  }

  @Override
  public synchronized StringBuffer append(CharSequence text, int start, int end) {
    builder.append(text, start, end);
    return this;
  }

  public synchronized StringBuffer append(char[] characters) {
    builder.append(characters);
    return this;
  }

  public synchronized StringBuffer append(char[] characters, int offset, int length) {
    builder.append(characters, offset, length);
    return this;
  }

  public synchronized StringBuffer append(boolean bool) {
    builder.append(bool);
    return this;
  }

  @Override
  public synchronized StringBuffer append(char character) {
    builder.append(character);
    return this;
  }

  public synchronized StringBuffer append(int number) {
    builder.append(number);
    return this;
  }

  public synchronized StringBuffer append(long number) {
    builder.append(number);
    return this;
  }

  public synchronized StringBuffer append(float number) {
    builder.append(number);
    return this;
  }

  public synchronized StringBuffer append(double number) {
    builder.append(number);
    return this;
  }

  public synchronized StringBuffer appendCodePoint(int codePoint) {
    builder.appendCodePoint(codePoint);
    return this;
  }

  public synchronized StringBuffer insert(int index, String text) {
    builder.insert(index, text);
    return this;
  }

  public synchronized StringBuffer insert(int index, Object object) {
    builder.insert(index, object);
    return this;
  }

  public synchronized StringBuffer insert(int index, char character) {
    builder.insert(index, character);
    return this;
  }

  public synchronized StringBuffer insert(int index, boolean bool) {
    builder.insert(index, bool);
    return this;
  }

  public synchronized StringBuffer insert(int index, int number) {
    builder.insert(index, number);
    return this;
  }

  public synchronized StringBuffer insert(int index, long number) {
    builder.insert(index, number);
    return this;
  }

  public synchronized StringBuffer insert(int index, double number) {
    builder.insert(index, number);
    return this;
  }

  public synchronized StringBuffer delete(int start, int end) {
    builder.delete(start, end);
    return this;
  }

  public synchronized StringBuffer deleteCharAt(int index) {
    builder.deleteCharAt(index);
    return this;
  }

  public synchronized StringBuffer replace(int start, int end, String text) {
    builder.replace(start, end, text);
    return this;
  }

  public synchronized StringBuffer reverse() {
    builder.reverse();
    return this;
  }

  public synchronized int indexOf(String text) {
    return builder.indexOf(text);
  }

  public synchronized int indexOf(String text, int start) {
    return builder.indexOf(text, start);
  }

  public synchronized int lastIndexOf(String text) {
    return builder.lastIndexOf(text);
  }

  public synchronized String substring(int start) {
    return builder.substring(start);
  }

  public synchronized String substring(int start, int end) {
    return builder.substring(start, end);
  }

  @Override
  public synchronized CharSequence subSequence(int start, int end) {
    return builder.subSequence(start, end);
  }

  public synchronized void getChars(int start, int end, char[] target, int targetStart) {
    builder.getChars(start, end, target, targetStart);
  }

  @Override
  public synchronized String toString() {
    return builder.toString();
  }
}
