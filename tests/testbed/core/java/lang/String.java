// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.nio.charset.Charset;
import java.util.Comparator;
import java.util.Formatter;
import java.util.Iterator;
import java.util.Locale;
import libcore.util.Utf8;

/**
 * Text. ART lays strings out in C++ (runtime/mirror/string.h): the characters follow the object, 8 or 16 bits each, so
 * constructors never run: ART calls the methods of StringFactory in their place. The class may have 54 virtual methods
 * of its own at most.
 */
public final class String implements java.io.Serializable, Comparable<String>, CharSequence {
  private static final long serialVersionUID = -6849794470754667710L;

  public static final Comparator<String> CASE_INSENSITIVE_ORDER = new LetterCase();

  /** Twice the length, plus one if the characters are 16 bits wide. */
  private int count;

  private int hash;

  public String() {
    throw calledByMistake();
  }

  public String(String text) {
    throw calledByMistake();
  }

  public String(char[] characters) {
    throw calledByMistake();
  }

  public String(char[] characters, int offset, int length) {
    throw calledByMistake();
  }

  public String(int[] codePoints, int offset, int length) {
    throw calledByMistake();
  }

  public String(byte[] bytes) {
    throw calledByMistake();
  }

  public String(byte[] bytes, int offset, int length) {
    throw calledByMistake();
  }

  public String(byte[] bytes, Charset charset) {
    throw calledByMistake();
  }

  public String(byte[] bytes, int offset, int length, Charset charset) {
    throw calledByMistake();
  }

  public String(byte[] bytes, String charsetName) throws java.io.UnsupportedEncodingException {
    throw calledByMistake();
  }

  public String(StringBuilder builder) {
    throw calledByMistake();
  }

  public String(StringBuffer buffer) {
    throw calledByMistake();
  }

  private static UnsupportedOperationException calledByMistake() {
    return new UnsupportedOperationException("ART calls StringFactory in place of String's constructors");
  }

  @Override
  public int length() {
    return count >>> 1;
  }

  public boolean isEmpty() {
    return count >>> 1 == 0;
  }

  @Override
  public native char charAt(int index);

  public int codePointAt(int index) {
    char high = charAt(index);
    if (Character.isHighSurrogate(high) && index + 1 < length()) {
      char low = charAt(index + 1);
      if (Character.isLowSurrogate(low)) {
        return Character.toCodePoint(high, low);
      }
    }
    return high;
  }

  public void getChars(int start, int end, char[] target, int targetStart) {
    checkRange(start, end);
    if (targetStart < 0 || targetStart + (end - start) > target.length) {
      throw new ArrayIndexOutOfBoundsException("target is too small for " + (end - start) + " chars");
    }
    getCharsNoCheck(start, end, target, targetStart);
  }

  native void getCharsNoCheck(int start, int end, char[] target, int targetStart);

  public byte[] getBytes() {
    return Utf8.encode(this);
  }

  public byte[] getBytes(Charset charset) {
    return charset.encodeToBytes(this);
  }

  public byte[] getBytes(String charsetName) throws java.io.UnsupportedEncodingException {
    return Charset.forNameChecked(charsetName).encodeToBytes(this);
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof String) || ((String) other).count != count) {
      return false;
    }
    return regionMatches(0, (String) other, 0, length());
  }

  public boolean contentEquals(CharSequence text) {
    return equals(text.toString());
  }

  public boolean equalsIgnoreCase(String other) {
    return other != null && other.length() == length() && regionMatches(true, 0, other, 0, length());
  }

  @Override
  public native int compareTo(String other);

  public int compareToIgnoreCase(String other) {
    return CASE_INSENSITIVE_ORDER.compare(this, other);
  }

  public boolean regionMatches(int start, String other, int otherStart, int length) {
    return regionMatches(false, start, other, otherStart, length);
  }

  public boolean regionMatches(boolean ignoreCase, int start, String other, int otherStart, int length) {
    return start >= 0 && otherStart >= 0 && start + length <= length() && otherStart + length <= other.length()
        && LetterCase.areEqual(this, start, other, otherStart, length, ignoreCase);
  }

  public boolean startsWith(String prefix, int start) {
    return regionMatches(start, prefix, 0, prefix.length());
  }

  public boolean startsWith(String prefix) {
    return startsWith(prefix, 0);
  }

  public boolean endsWith(String suffix) {
    return startsWith(suffix, length() - suffix.length());
  }

  @Override
  public int hashCode() {
    int value = hash;
    if (value == 0) {
      for (int i = 0, length = length(); i < length; i++) {
        value = 31 * value + charAt(i);
      }
      hash = value;
    }
    return value;
  }

  public int indexOf(int character) {
    return indexOf(character, 0);
  }

  public int indexOf(int character, int start) {
    if (character > Character.MAX_VALUE) {
      return indexOf(new String(Character.toChars(character)), start);
    }
    for (int i = Math.max(start, 0), length = length(); i < length; i++) {
      if (charAt(i) == character) {
        return i;
      }
    }
    return -1;
  }

  public int indexOf(String text) {
    return indexOf(text, 0);
  }

  public int indexOf(String text, int start) {
    for (int i = Math.max(start, 0), last = length() - text.length(); i <= last; i++) {
      if (startsWith(text, i)) {
        return i;
      }
    }
    return text.isEmpty() ? length() : -1;
  }

  public int lastIndexOf(int character) {
    return lastIndexOf(character, length() - 1);
  }

  public int lastIndexOf(int character, int start) {
    for (int i = Math.min(start, length() - 1); i >= 0; i--) {
      if (charAt(i) == character) {
        return i;
      }
    }
    return -1;
  }

  public int lastIndexOf(String text) {
    return lastIndexOf(text, length());
  }

  public int lastIndexOf(String text, int start) {
    for (int i = Math.min(start, length() - text.length()); i >= 0; i--) {
      if (startsWith(text, i)) {
        return i;
      }
    }
    return -1;
  }

  public boolean contains(CharSequence text) {
    return indexOf(text.toString()) >= 0;
  }

  public String substring(int start) {
    return substring(start, length());
  }

  public String substring(int start, int end) {
    checkRange(start, end);
    return start == 0 && end == length() ? this : fastSubstring(start, end - start);
  }

  private native String fastSubstring(int start, int length);

  private void checkRange(int start, int end) {
    if (start < 0 || end < start || end > length()) {
      throw new StringIndexOutOfBoundsException("begin " + start + ", end " + end + ", length " + length());
    }
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return substring(start, end);
  }

  public native String concat(String text);

  public String replace(char from, char to) {
    return from == to || indexOf(from) < 0 ? this : doReplace(from, to);
  }

  private native String doReplace(char from, char to);

  public String replace(CharSequence from, CharSequence to) {
    return Replacement.in(this, from.toString(), to.toString());
  }

  /** Splits at a literal separator: regular expressions are not part of this core library. */
  public String[] split(String separator) {
    return split(separator, 0);
  }

  /** Like {@link #split(String)}; a positive limit bounds the parts, zero drops empty ones at the end. */
  public String[] split(String separator, int limit) {
    return LiteralPattern.of(separator).split(this, limit);
  }

  public static String join(CharSequence separator, CharSequence... parts) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < parts.length; i++) {
      result.append(i == 0 ? "" : separator).append(parts[i]);
    }
    return result.toString();
  }

  public static String join(CharSequence separator, Iterable<? extends CharSequence> parts) {
    StringBuilder result = new StringBuilder();
    for (Iterator<? extends CharSequence> i = parts.iterator(); i.hasNext(); ) {
      result.append(i.next()).append(i.hasNext() ? separator : "");
    }
    return result.toString();
  }

  public String toLowerCase() {
    return LetterCase.lower(toCharArray());
  }

  public String toLowerCase(Locale locale) {
    return toLowerCase();
  }

  public String toUpperCase() {
    return LetterCase.upper(toCharArray());
  }

  public String toUpperCase(Locale locale) {
    return toUpperCase();
  }

  public String trim() {
    int start = 0;
    int end = length();
    while (start < end && charAt(start) <= ' ') {
      start++;
    }
    while (end > start && charAt(end - 1) <= ' ') {
      end--;
    }
    return substring(start, end);
  }

  /** As in later releases of Java; handy in tests. */
  public String repeat(int times) {
    if (times < 0) {
      throw new IllegalArgumentException("count is negative: " + times);
    }
    StringBuilder result = new StringBuilder(length() * times);
    for (int i = 0; i < times; i++) {
      result.append(this);
    }
    return result.toString();
  }

  @Override
  public String toString() {
    return this;
  }

  public native char[] toCharArray();

  public native String intern();

  public static String format(String format, Object... arguments) {
    return new Formatter().format(format, arguments).toString();
  }

  public static String format(Locale locale, String format, Object... arguments) {
    return format(format, arguments);
  }

  public static String valueOf(Object value) {
    return value == null ? "null" : value.toString();
  }

  public static String valueOf(char[] value) {
    return new String(value);
  }

  public static String valueOf(char[] value, int offset, int length) {
    return new String(value, offset, length);
  }

  public static String copyValueOf(char[] value) {
    return new String(value);
  }

  public static String valueOf(boolean value) {
    return value ? "true" : "false";
  }

  public static String valueOf(char value) {
    return new String(new char[] {value});
  }

  public static String valueOf(int value) {
    return Integer.toString(value);
  }

  public static String valueOf(long value) {
    return Long.toString(value);
  }

  public static String valueOf(float value) {
    return Float.toString(value);
  }

  public static String valueOf(double value) {
    return Double.toString(value);
  }
}
