// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An exception that methods need not declare. */
public class RuntimeException extends Exception {
  public RuntimeException() {}

  public RuntimeException(String message) {
    super(message);
  }

  public RuntimeException(String message, Throwable cause) {
    super(message, cause);
  }

  public RuntimeException(Throwable cause) {
    super(cause);
  }

  protected RuntimeException(
      String message, Throwable cause, boolean suppression, boolean writableStackTrace) {
    super(message, cause, suppression, writableStackTrace);
  }
}
