// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed char. Letters are known for ASCII, Latin-1, Greek and Cyrillic, where case is a matter of arithmetic. */
public final class Character implements Comparable<Character>, java.io.Serializable {
  public static final char MIN_VALUE = 0;
  public static final char MAX_VALUE = 0xffff;
  public static final int MIN_RADIX = 2;
  public static final int MAX_RADIX = 36;
  public static final int SIZE = 16;
  public static final int BYTES = 2;
  public static final char MIN_SURROGATE = 0xd800;
  public static final char MAX_SURROGATE = 0xdfff;
  public static final char MIN_LOW_SURROGATE = 0xdc00;
  public static final char MAX_HIGH_SURROGATE = 0xdbff;
  public static final int MAX_CODE_POINT = 0x10ffff;
  public static final int MIN_SUPPLEMENTARY_CODE_POINT = 0x10000;

  @SuppressWarnings("unchecked")
  public static final Class<Character> TYPE = (Class<Character>) Class.getPrimitiveClass("char");

  /** Boxes of ASCII are shared, as the language demands. */
  private static final class Cache {
    static final Character[] ASCII = new Character[128];

    static {
      for (int i = 0; i < ASCII.length; i++) {
        ASCII[i] = new Character((char) i);
      }
    }
  }

  private final char value;

  public Character(char value) {
    this.value = value;
  }

  public static Character valueOf(char character) {
    return character < 128 ? Cache.ASCII[character] : new Character(character);
  }

  public char charValue() {
    return value;
  }

  public static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  public static boolean isDigit(char c) {
    return isDigit((int) c);
  }

  public static boolean isLetter(int c) {
    return isLowerCase(c) || isUpperCase(c) || c == 0xaa || c == 0xba || c >= 0x100 && !isSurrogateCode(c);
  }

  public static boolean isLetter(char c) {
    return isLetter((int) c);
  }

  private static boolean isSurrogateCode(int c) {
    return c >= MIN_SURROGATE && c <= MAX_SURROGATE;
  }

  public static boolean isLetterOrDigit(int c) {
    return isLetter(c) || isDigit(c);
  }

  public static boolean isLetterOrDigit(char c) {
    return isLetterOrDigit((int) c);
  }

  public static boolean isAlphabetic(int c) {
    return isLetter(c);
  }

  public static boolean isJavaIdentifierStart(char c) {
    return isLetter(c) || c == '_' || c == '$';
  }

  public static boolean isJavaIdentifierPart(char c) {
    return isJavaIdentifierStart(c) || isDigit(c);
  }

  public static boolean isLowerCase(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 0xdf && c <= 0xff && c != 0xf7
        || c >= 0x3b1 && c <= 0x3c9
        || c >= 0x430 && c <= 0x45f;
  }

  public static boolean isLowerCase(char c) {
    return isLowerCase((int) c);
  }

  public static boolean isUpperCase(int c) {
    return c >= 'A' && c <= 'Z'
        || c >= 0xc0 && c <= 0xde && c != 0xd7
        || c >= 0x391 && c <= 0x3a9
        || c >= 0x400 && c <= 0x42f;
  }

  public static boolean isUpperCase(char c) {
    return isUpperCase((int) c);
  }

  /** How far upper and lower case are apart in a lower-case letter's block. */
  private static int caseDistance(int lower) {
    return lower >= 0x450 ? 80 : 32;
  }

  public static int toUpperCase(int c) {
    boolean hasUpper = isLowerCase(c) && c != 0xdf && c != 0xff && c != 0x3c2;
    return hasUpper ? c - caseDistance(c) : c;
  }

  public static char toUpperCase(char c) {
    return (char) toUpperCase((int) c);
  }

  public static int toLowerCase(int c) {
    return isUpperCase(c) ? c + (c >= 0x400 && c < 0x410 ? 80 : 32) : c;
  }

  public static char toLowerCase(char c) {
    return (char) toLowerCase((int) c);
  }

  static char foldCase(char c) {
    return toLowerCase(toUpperCase(c));
  }

  public static boolean isWhitespace(int c) {
    return c >= 9 && c <= 13 || c >= 28 && c <= 32 || c == 0x1680 || c >= 0x2000 && c <= 0x200a && c != 0x2007
        || c == 0x2028 || c == 0x2029 || c == 0x205f || c == 0x3000;
  }

  public static boolean isWhitespace(char c) {
    return isWhitespace((int) c);
  }

  public static boolean isSpaceChar(char c) {
    return c == ' ' || c == 0xa0 || c >= 0x1680 && isWhitespace(c);
  }

  public static boolean isISOControl(char c) {
    return c < 0x20 || c >= 0x7f && c <= 0x9f;
  }

  public static int digit(char c, int radix) {
    int digit = isDigit(c) ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
    return digit < radix ? digit : -1;
  }

  public static int getNumericValue(char c) {
    return digit(c, MAX_RADIX);
  }

  public static char forDigit(int digit, int radix) {
    if (digit < 0 || digit >= radix) {
      return 0;
    }
    return (char) (digit < 10 ? '0' + digit : 'a' + digit - 10);
  }

  public static boolean isHighSurrogate(char c) {
    return c >= MIN_SURROGATE && c <= MAX_HIGH_SURROGATE;
  }

  public static boolean isLowSurrogate(char c) {
    return c >= MIN_LOW_SURROGATE && c <= MAX_SURROGATE;
  }

  public static boolean isSurrogate(char c) {
    return isSurrogateCode(c);
  }

  public static int charCount(int codePoint) {
    return codePoint >= MIN_SUPPLEMENTARY_CODE_POINT ? 2 : 1;
  }

  public static int toCodePoint(char high, char low) {
    return (high - MIN_SURROGATE << 10) + (low - MIN_LOW_SURROGATE) + MIN_SUPPLEMENTARY_CODE_POINT;
  }

  public static char[] toChars(int codePoint) {
    if (codePoint < 0 || codePoint > MAX_CODE_POINT) {
      throw new IllegalArgumentException("Not a code point: " + codePoint);
    }
    if (codePoint < MIN_SUPPLEMENTARY_CODE_POINT) {
      return new char[] {(char) codePoint};
    }
    int above = codePoint - MIN_SUPPLEMENTARY_CODE_POINT;
    return new char[] {(char) (MIN_SURROGATE + (above >> 10)), (char) (MIN_LOW_SURROGATE + (above & 0x3ff))};
  }

  public static int compare(char left, char right) {
    return left - right;
  }

  @Override
  public int compareTo(Character other) {
    return value - other.value;
  }

  @Override
  public int hashCode() {
    return value;
  }

  public static int hashCode(char c) {
    return c;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Character && ((Character) other).value == value;
  }

  public static String toString(char c) {
    return String.valueOf(c);
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
