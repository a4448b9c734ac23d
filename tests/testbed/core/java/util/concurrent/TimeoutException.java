// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A time limit passed. */
public class TimeoutException extends Exception {
  public TimeoutException() {}

  public TimeoutException(String message) {
    super(message);
  }

  public TimeoutException(String message, Throwable cause) {
    super(message, cause);
  }

  public TimeoutException(Throwable cause) {
    super(cause);
  }
}
