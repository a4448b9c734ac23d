// SPDX-License-Identifier: Apache-2.0
package libcore.util;

/** UTF-8 encoding and decoding. Malformed input is decoded as U+FFFD, and encoded as '?'. */
public final class Utf8 {
  private static final char REPLACEMENT = '\ufffd';

  public static byte[] encode(String text) {
    int length = text.length();
    byte[] bytes = new byte[length * 3];
    int n = 0;
    for (int i = 0; i < length; i++) {
      int c = text.codePointAt(i);
      if (c < 0x80) {
        bytes[n++] = (byte) c;
      } else if (c < 0x800) {
        bytes[n++] = (byte) (0xc0 | c >> 6);
        bytes[n++] = (byte) (0x80 | c & 0x3f);
      } else if (c >= 0x10000) {
        i++;
        bytes[n++] = (byte) (0xf0 | c >> 18);
        bytes[n++] = (byte) (0x80 | c >> 12 & 0x3f);
        bytes[n++] = (byte) (0x80 | c >> 6 & 0x3f);
        bytes[n++] = (byte) (0x80 | c & 0x3f);
      } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        bytes[n++] = '?';
      } else {
        bytes[n++] = (byte) (0xe0 | c >> 12);
        bytes[n++] = (byte) (0x80 | c >> 6 & 0x3f);
        bytes[n++] = (byte) (0x80 | c & 0x3f);
      }
    }
    byte[] result = new byte[n];
    System.arraycopy(bytes, 0, result, 0, n);
    return result;
  }

  public static String decode(byte[] bytes, int offset, int length) {
    StringBuilder text = new StringBuilder(length);
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int lead = bytes[i++] & 0xff;
      if (lead < 0x80) {
        text.append((char) lead);
        continue;
      }
      int following = lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0;
      int codePoint = lead & (0x3f >> following);
      int taken = 0;
      while (taken < following && i < end && (bytes[i] & 0xc0) == 0x80) {
        codePoint = codePoint << 6 | bytes[i++] & 0x3f;
        taken++;
      }
      boolean complete = following > 0 && taken == following && isWellFormed(codePoint, following);
      text.appendCodePoint(complete ? codePoint : REPLACEMENT);
    }
    return text.toString();
  }

  private static boolean isWellFormed(int codePoint, int following) {
    if (following == 1) {
      return true;
    }
    boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return following == 2
        ? codePoint >= 0x800 && !surrogate
        : codePoint >= 0x10000 && codePoint <= Character.MAX_CODE_POINT;
  }

  private Utf8() {}
}
