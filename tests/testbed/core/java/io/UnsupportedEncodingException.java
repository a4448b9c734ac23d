// SPDX-License-Identifier: Apache-2.0
package java.io;

/** There is no character encoding of that name. */
public class UnsupportedEncodingException extends IOException {
  public UnsupportedEncodingException() {}

  public UnsupportedEncodingException(String message) {
    super(message);
  }

  public UnsupportedEncodingException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnsupportedEncodingException(Throwable cause) {
    super(cause);
  }
}
