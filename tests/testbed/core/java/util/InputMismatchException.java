// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A token is not of the expected form. */
public class InputMismatchException extends NoSuchElementException {
  public InputMismatchException() {}

  public InputMismatchException(String message) {
    super(message);
  }

  public InputMismatchException(String message, Throwable cause) {
    super(message, cause);
  }

  public InputMismatchException(Throwable cause) {
    super(cause);
  }
}
