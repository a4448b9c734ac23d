// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A failure that a program is not expected to handle. */
public class Error extends Throwable {
  public Error() {}

  public Error(String message) {
    super(message);
  }

  public Error(String message, Throwable cause) {
    super(message, cause);
  }

  public Error(Throwable cause) {
    super(cause);
  }

  protected Error(
      String message, Throwable cause, boolean suppression, boolean writableStackTrace) {
    super(message, cause, suppression, writableStackTrace);
  }
}
