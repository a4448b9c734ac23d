// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An object does not offer this operation. */
public class UnsupportedOperationException extends RuntimeException {
  public UnsupportedOperationException() {}

  public UnsupportedOperationException(String message) {
    super(message);
  }

  public UnsupportedOperationException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnsupportedOperationException(Throwable cause) {
    super(cause);
  }
}
