// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An arithmetic operation has no result, such as a division by zero. */
public class ArithmeticException extends RuntimeException {
  public ArithmeticException() {}

  public ArithmeticException(String message) {
    super(message);
  }

  public ArithmeticException(String message, Throwable cause) {
    super(message, cause);
  }

  public ArithmeticException(Throwable cause) {
    super(cause);
  }
}
