// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A member is not accessible from the caller. */
public class IllegalAccessException extends ReflectiveOperationException {
  public IllegalAccessException() {}

  public IllegalAccessException(String message) {
    super(message);
  }

  public IllegalAccessException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalAccessException(Throwable cause) {
    super(cause);
  }
}
