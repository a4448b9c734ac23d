// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An abstract method is called. */
public class AbstractMethodError extends IncompatibleClassChangeError {
  public AbstractMethodError() {}

  public AbstractMethodError(String message) {
    super(message);
  }

  public AbstractMethodError(String message, Throwable cause) {
    super(message, cause);
  }

  public AbstractMethodError(Throwable cause) {
    super(cause);
  }
}
