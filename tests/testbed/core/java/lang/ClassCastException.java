// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An object is not of the type it is cast to. */
public class ClassCastException extends RuntimeException {
  public ClassCastException() {}

  public ClassCastException(String message) {
    super(message);
  }

  public ClassCastException(String message, Throwable cause) {
    super(message, cause);
  }

  public ClassCastException(Throwable cause) {
    super(cause);
  }
}
