// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** No class loader finds a class of that name. */
public class ClassNotFoundException extends ReflectiveOperationException {
  public ClassNotFoundException() {}

  public ClassNotFoundException(String message) {
    super(message);
  }

  public ClassNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }

  public ClassNotFoundException(Throwable cause) {
    super(cause);
  }
}
