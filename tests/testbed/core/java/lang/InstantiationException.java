// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class cannot be instantiated. */
public class InstantiationException extends ReflectiveOperationException {
  public InstantiationException() {}

  public InstantiationException(String message) {
    super(message);
  }

  public InstantiationException(String message, Throwable cause) {
    super(message, cause);
  }

  public InstantiationException(Throwable cause) {
    super(cause);
  }
}
