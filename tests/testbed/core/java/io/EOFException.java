// SPDX-License-Identifier: Apache-2.0
package java.io;

/** The input ended too early. */
public class EOFException extends IOException {
  public EOFException() {}

  public EOFException(String message) {
    super(message);
  }

  public EOFException(String message, Throwable cause) {
    super(message, cause);
  }

  public EOFException(Throwable cause) {
    super(cause);
  }
}
