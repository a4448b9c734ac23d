// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A thread was interrupted while it waited. */
public class InterruptedException extends Exception {
  public InterruptedException() {}

  public InterruptedException(String message) {
    super(message);
  }

  public InterruptedException(String message, Throwable cause) {
    super(message, cause);
  }

  public InterruptedException(Throwable cause) {
    super(cause);
  }
}
