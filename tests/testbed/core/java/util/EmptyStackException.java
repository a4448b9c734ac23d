// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A stack is empty. */
public class EmptyStackException extends RuntimeException {
  public EmptyStackException() {}

  public EmptyStackException(String message) {
    super(message);
  }

  public EmptyStackException(String message, Throwable cause) {
    super(message, cause);
  }

  public EmptyStackException(Throwable cause) {
    super(cause);
  }
}
