// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A format string does not fit its arguments. */
public class IllegalFormatException extends IllegalArgumentException {
  public IllegalFormatException() {}

  public IllegalFormatException(String message) {
    super(message);
  }

  public IllegalFormatException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalFormatException(Throwable cause) {
    super(cause);
  }
}
