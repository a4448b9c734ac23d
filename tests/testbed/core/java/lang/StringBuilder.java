// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Text that grows. */
public final class StringBuilder implements java.io.Serializable, CharSequence, Appendable, Comparable<StringBuilder> {
  private char[] value;
  private int count;

  public StringBuilder() {
    this(16);
  }

  public StringBuilder(int capacity) {
    value = new char[capacity];
  }

  public StringBuilder(String text) {
    this(text.length() + 16);
    append(text);
  }

  public StringBuilder(CharSequence text) {
    this(text.toString());
  }

  @Override
  public int length() {
    return count;
  }

  public int capacity() {
    return value.length;
  }

  public void ensureCapacity(int wanted) {
    if (wanted > value.length) {
      char[] larger = new char[Math.max(wanted, value.length * 2 + 2)];
      System.arraycopy(value, 0, larger, 0, count);
      value = larger;
    }
  }

  public void trimToSize() {
    char[] exact = new char[count];
    System.arraycopy(value, 0, exact, 0, count);
    value = exact;
  }

  public void setLength(int length) {
    if (length < 0) {
      throw new StringIndexOutOfBoundsException(length);
    }
    ensureCapacity(length);
    for (int i = count; i < length; i++) {
      value[i] = 0;
    }
    count = length;
  }

  @Override
  public char charAt(int index) {
    checkIndex(index);
    return value[index];
  }

  public void setCharAt(int index, char character) {
    checkIndex(index);
    value[index] = character;
  }

  public int codePointAt(int index) {
    return toString().codePointAt(index);
  }

  private void checkIndex(int index) {
    if (index < 0 || index >= count) {
      throw new StringIndexOutOfBoundsException("index " + index + ",length " + count);
    }
  }

  public StringBuilder append(Object object) {
    return append(String.valueOf(object));
  }

  public StringBuilder append(String text) {
    String appended = text == null ? "null" : text;
    int length = appended.length();
    ensureCapacity(count + length);
    appended.getCharsNoCheck(0, length, value, count);
    count += length;
    return this;
  }

  public StringBuilder append(StringBuffer text) {
    return append(String.valueOf(text));
  }

  @Override
  public StringBuilder append(CharSequence text) {
    return append(String.valueOf(text));
  }

  @Override
  public StringBuilder append(CharSequence text, int start, int end) {
    CharSequence source = text == null ? "null" : text;
    return append(source.subSequence(start, end).toString());
  }

  public StringBuilder append(char[] characters) {
    return append(characters, 0, characters.length);
  }

  public StringBuilder append(char[] characters, int offset, int length) {
    ensureCapacity(count + length);
    System.arraycopy(characters, offset, value, count, length);
    count += length;
    return this;
  }

  public StringBuilder append(boolean bool) {
    return append(bool ? "true" : "false");
  }

  @Override
  public StringBuilder append(char character) {
    ensureCapacity(count + 1);
    value[count++] = character;
    return this;
  }

  public StringBuilder append(int number) {
    return append(Integer.toString(number));
  }

  public StringBuilder append(long number) {
    return append(Long.toString(number));
  }

  public StringBuilder append(float number) {
    return append(Float.toString(number));
  }

  public StringBuilder append(double number) {
    return append(Double.toString(number));
  }

  public StringBuilder appendCodePoint(int codePoint) {
    return append(Character.toChars(codePoint));
  }

  public StringBuilder insert(int index, String text) {
    return replace(index, index, String.valueOf(text));
  }

  public StringBuilder insert(int index, Object object) {
    return insert(index, String.valueOf(object));
  }

  public StringBuilder insert(int index, char character) {
    return insert(index, String.valueOf(character));
  }

  public StringBuilder insert(int index, boolean bool) {
    return insert(index, String.valueOf(bool));
  }

  public StringBuilder insert(int index, int number) {
    return insert(index, String.valueOf(number));
  }

  public StringBuilder insert(int index, long number) {
    return insert(index, String.valueOf(number));
  }

  public StringBuilder insert(int index, double number) {
    return insert(index, String.valueOf(number));
  }

  public StringBuilder delete(int start, int end) {
    return replace(start, end, "");
  }

  public StringBuilder deleteCharAt(int index) {
    checkIndex(index);
    return replace(index, index + 1, "");
  }

  public StringBuilder replace(int start, int end, String text) {
    int stop = Math.min(end, count);
    if (start < 0 || start > stop) {
      throw new StringIndexOutOfBoundsException("start " + start + ", end " + end + ", length " + count);
    }
    int length = text.length();
    ensureCapacity(count + length - (stop - start));
    System.arraycopy(value, stop, value, start + length, count - stop);
    text.getCharsNoCheck(0, length, value, start);
    count += length - (stop - start);
    return this;
  }

  public StringBuilder reverse() {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      char swapped = value[i];
      value[i] = value[j];
      value[j] = swapped;
    }
    for (int i = 0; i + 1 < count; i++) {
      if (Character.isLowSurrogate(value[i]) && Character.isHighSurrogate(value[i + 1])) {
        char low = value[i];
        value[i] = value[i + 1];
        value[++i] = low;
      }
    }
    return this;
  }

  public int indexOf(String text) {
    return toString().indexOf(text);
  }

  public int indexOf(String text, int start) {
    return toString().indexOf(text, start);
  }

  public int lastIndexOf(String text) {
    return toString().lastIndexOf(text);
  }

  public String substring(int start) {
    return substring(start, count);
  }

  public String substring(int start, int end) {
    if (start < 0 || end > count || start > end) {
      throw new StringIndexOutOfBoundsException("start " + start + ", end " + end + ", length " + count);
    }
    return new String(value, start, end - start);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return substring(start, end);
  }

  public void getChars(int start, int end, char[] target, int targetStart) {
    System.arraycopy(value, start, target, targetStart, end - start);
  }

  @Override
  public int compareTo(StringBuilder other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return StringFactory.newStringFromChars(0, count, value);
  }
}
