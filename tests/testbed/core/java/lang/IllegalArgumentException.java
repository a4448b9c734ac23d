// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An argument is outside of what a method takes. */
public class IllegalArgumentException extends RuntimeException {
  public IllegalArgumentException() {}

  public IllegalArgumentException(String message) {
    super(message);
  }

  public IllegalArgumentException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalArgumentException(Throwable cause) {
    super(cause);
  }
}
