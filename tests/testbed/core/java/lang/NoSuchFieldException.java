// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class has no field of that name. */
public class NoSuchFieldException extends ReflectiveOperationException {
  public NoSuchFieldException() {}

  public NoSuchFieldException(String message) {
    super(message);
  }

  public NoSuchFieldException(String message, Throwable cause) {
    super(message, cause);
  }

  public NoSuchFieldException(Throwable cause) {
    super(cause);
  }
}
