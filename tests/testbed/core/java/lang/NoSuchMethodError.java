// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A method is gone. */
public class NoSuchMethodError extends IncompatibleClassChangeError {
  public NoSuchMethodError() {}

  public NoSuchMethodError(String message) {
    super(message);
  }

  public NoSuchMethodError(String message, Throwable cause) {
    super(message, cause);
  }

  public NoSuchMethodError(Throwable cause) {
    super(cause);
  }
}
