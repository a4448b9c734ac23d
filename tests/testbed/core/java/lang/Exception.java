// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A failure that a program may want to handle. */
public class Exception extends Throwable {
  public Exception() {}

  public Exception(String message) {
    super(message);
  }

  public Exception(String message, Throwable cause) {
    super(message, cause);
  }

  public Exception(Throwable cause) {
    super(cause);
  }

  protected Exception(
      String message, Throwable cause, boolean suppression, boolean writableStackTrace) {
    super(message, cause, suppression, writableStackTrace);
  }
}
