// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A member is no longer accessible. */
public class IllegalAccessError extends IncompatibleClassChangeError {
  public IllegalAccessError() {}

  public IllegalAccessError(String message) {
    super(message);
  }

  public IllegalAccessError(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalAccessError(Throwable cause) {
    super(cause);
  }
}
