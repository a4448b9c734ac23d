// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A collection or an iterator has no further element. */
public class NoSuchElementException extends RuntimeException {
  public NoSuchElementException() {}

  public NoSuchElementException(String message) {
    super(message);
  }

  public NoSuchElementException(String message, Throwable cause) {
    super(message, cause);
  }

  public NoSuchElementException(Throwable cause) {
    super(cause);
  }
}
