// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A thread is not in the state that a call needs. */
public class IllegalThreadStateException extends IllegalArgumentException {
  public IllegalThreadStateException() {}

  public IllegalThreadStateException(String message) {
    super(message);
  }

  public IllegalThreadStateException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalThreadStateException(Throwable cause) {
    super(cause);
  }
}
