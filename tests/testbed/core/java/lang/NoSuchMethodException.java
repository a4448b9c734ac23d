// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class has no such method. */
public class NoSuchMethodException extends ReflectiveOperationException {
  public NoSuchMethodException() {}

  public NoSuchMethodException(String message) {
    super(message);
  }

  public NoSuchMethodException(String message, Throwable cause) {
    super(message, cause);
  }

  public NoSuchMethodException(Throwable cause) {
    super(cause);
  }
}
