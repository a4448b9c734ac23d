// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A text is not a number. */
public class NumberFormatException extends IllegalArgumentException {
  public NumberFormatException() {}

  public NumberFormatException(String message) {
    super(message);
  }

  public NumberFormatException(String message, Throwable cause) {
    super(message, cause);
  }

  public NumberFormatException(Throwable cause) {
    super(cause);
  }
}
