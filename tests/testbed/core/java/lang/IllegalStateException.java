// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An object is not in the state that a call needs. */
public class IllegalStateException extends RuntimeException {
  public IllegalStateException() {}

  public IllegalStateException(String message) {
    super(message);
  }

  public IllegalStateException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalStateException(Throwable cause) {
    super(cause);
  }
}
