// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** A method handle is called with other types than its own. */
public class WrongMethodTypeException extends RuntimeException {
  public WrongMethodTypeException() {}

  public WrongMethodTypeException(String message) {
    super(message);
  }

  public WrongMethodTypeException(String message, Throwable cause) {
    super(message, cause);
  }

  public WrongMethodTypeException(Throwable cause) {
    super(cause);
  }
}
