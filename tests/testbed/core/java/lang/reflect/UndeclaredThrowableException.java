// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A proxy's handler threw an exception that its interface does not declare. */
public class UndeclaredThrowableException extends RuntimeException {
  public UndeclaredThrowableException() {}

  public UndeclaredThrowableException(String message) {
    super(message);
  }

  public UndeclaredThrowableException(String message, Throwable cause) {
    super(message, cause);
  }

  public UndeclaredThrowableException(Throwable cause) {
    super(cause);
  }
}
