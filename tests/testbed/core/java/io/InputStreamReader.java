// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads UTF-8 from a stream of bytes, character by character. */
public class InputStreamReader extends Reader {
  private final InputStream in;
  private char pendingLow;

  public InputStreamReader(InputStream in) {
    this.in = in instanceof BufferedInputStream ? in : new BufferedInputStream(in);
  }

  public InputStreamReader(InputStream in, java.nio.charset.Charset utf8) {
    this(in);
    if (!utf8.name().equals("UTF-8")) {
      throw new IllegalArgumentException("InputStreamReader: " + utf8 + " is not UTF-8");
    }
  }

  @Override
  public int read(char[] characters, int offset, int length) throws IOException {
    int count = 0;
    while (count < length && (count == 0 || in.available() > 0)) {
      int next = nextCharacter();
      if (next < 0) {
        break;
      }
      characters[offset + count++] = (char) next;
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  private int nextCharacter() throws IOException {
    if (pendingLow != 0) {
      char low = pendingLow;
      pendingLow = 0;
      return low;
    }
    int lead = in.read();
    if (lead < 0x80) {
      return lead;
    }
    byte[] bytes = new byte[lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2];
    bytes[0] = (byte) lead;
    int count = 1 + Math.max(0, in.read(bytes, 1, bytes.length - 1));
    String decoded = new String(bytes, 0, count);
    if (decoded.length() > 1) {
      pendingLow = decoded.charAt(1);
    }
    return decoded.charAt(0);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
