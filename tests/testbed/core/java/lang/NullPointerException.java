// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Null stands where an object is needed. */
public class NullPointerException extends RuntimeException {
  public NullPointerException() {}

  public NullPointerException(String message) {
    super(message);
  }

  public NullPointerException(String message, Throwable cause) {
    super(message, cause);
  }

  public NullPointerException(Throwable cause) {
    super(cause);
  }
}
