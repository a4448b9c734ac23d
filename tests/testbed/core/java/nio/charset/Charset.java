// SPDX-License-Identifier: Apache-2.0
package java.nio.charset;

import java.io.UnsupportedEncodingException;
import libcore.util.Utf8;

/** A character encoding: UTF-8, US-ASCII or ISO-8859-1. */
public final class Charset implements Comparable<Charset> {
  static final Charset UTF_8 = new Charset("UTF-8", 0);
  static final Charset US_ASCII = new Charset("US-ASCII", 0x7f);
  static final Charset ISO_8859_1 = new Charset("ISO-8859-1", 0xff);

  private final String name;

  /** The highest character of an encoding of one byte a character, else 0. */
  private final int highest;

  private Charset(String name, int highest) {
    this.name = name;
    this.highest = highest;
  }

  public static Charset defaultCharset() {
    return UTF_8;
  }

  public static Charset forName(String name) {
    try {
      return forNameChecked(name);
    } catch (UnsupportedEncodingException exception) {
      throw new IllegalArgumentException("Unsupported charset: " + name, exception);
    }
  }

  public static Charset forNameChecked(String name) throws UnsupportedEncodingException {
    for (Charset charset : new Charset[] {UTF_8, US_ASCII, ISO_8859_1}) {
      if (charset.name.equalsIgnoreCase(name)) {
        return charset;
      }
    }
    if (name.equalsIgnoreCase("UTF8")) {
      return UTF_8;
    }
    throw new UnsupportedEncodingException(name);
  }

  public String name() {
    return name;
  }

  public byte[] encodeToBytes(String text) {
    if (highest == 0) {
      return Utf8.encode(text);
    }
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = text.charAt(i);
      bytes[i] = (byte) (c <= highest ? c : '?');
    }
    return bytes;
  }

  public String decodeBytes(byte[] bytes, int offset, int length) {
    if (highest == 0) {
      return Utf8.decode(bytes, offset, length);
    }
    char[] characters = new char[length];
    for (int i = 0; i < length; i++) {
      int c = bytes[offset + i] & 0xff;
      characters[i] = (char) (c <= highest ? c : 0xfffd);
    }
    return new String(characters);
  }

  @Override
  public int compareTo(Charset other) {
    return name.compareToIgnoreCase(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
