// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An operation is not allowed. */
public class SecurityException extends RuntimeException {
  public SecurityException() {}

  public SecurityException(String message) {
    super(message);
  }

  public SecurityException(String message, Throwable cause) {
    super(message, cause);
  }

  public SecurityException(Throwable cause) {
    super(cause);
  }
}
