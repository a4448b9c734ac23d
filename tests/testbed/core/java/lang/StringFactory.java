// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import libcore.util.Utf8;

/** Methods that ART calls in place of String's constructors (ART 11, runtime/well_known_classes.cc). */
public final class StringFactory {
  public static String newEmptyString() {
    return "";
  }

  public static native String newStringFromString(String text);

  public static String newStringFromChars(char[] characters) {
    return newStringFromChars(0, characters.length, characters);
  }

  public static String newStringFromChars(char[] characters, int offset, int length) {
    if (offset < 0 || length < 0 || offset > characters.length - length) {
      throw new StringIndexOutOfBoundsException(
          "offset " + offset + ", count " + length + ", length " + characters.length);
    }
    return newStringFromChars(offset, length, characters);
  }

  static native String newStringFromChars(int offset, int length, char[] characters);

  public static String newStringFromBytes(byte[] bytes) {
    return newStringFromBytes(bytes, 0, bytes.length);
  }

  public static String newStringFromBytes(byte[] bytes, int offset, int length) {
    if (offset < 0 || length < 0 || offset > bytes.length - length) {
      throw new StringIndexOutOfBoundsException(
          "offset " + offset + ", count " + length + ", length " + bytes.length);
    }
    return Utf8.decode(bytes, offset, length);
  }

  public static String newStringFromBytes(byte[] bytes, Charset charset) {
    return newStringFromBytes(bytes, 0, bytes.length, charset);
  }

  public static String newStringFromBytes(byte[] bytes, int offset, int length, Charset charset) {
    return charset.decodeBytes(bytes, offset, length);
  }

  public static String newStringFromBytes(byte[] bytes, String charsetName)
      throws UnsupportedEncodingException {
    return newStringFromBytes(bytes, 0, bytes.length, charsetName);
  }

  public static String newStringFromBytes(byte[] bytes, int offset, int length, String charsetName)
      throws UnsupportedEncodingException {
    return newStringFromBytes(bytes, offset, length, Charset.forNameChecked(charsetName));
  }

  /** One byte a character; {@code high} is the upper half of each. */
  public static native String newStringFromBytes(byte[] bytes, int high, int offset, int length);

  public static String newStringFromCodePoints(int[] codePoints, int offset, int length) {
    StringBuilder builder = new StringBuilder();
    for (int i = offset; i < offset + length; i++) {
      builder.appendCodePoint(codePoints[i]);
    }
    return builder.toString();
  }

  public static String newStringFromStringBuffer(StringBuffer buffer) {
    return buffer.toString();
  }

  public static String newStringFromStringBuilder(StringBuilder builder) {
    return builder.toString();
  }

  private StringFactory() {}
}
