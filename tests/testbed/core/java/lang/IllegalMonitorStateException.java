// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A thread uses a monitor that it does not hold. */
public class IllegalMonitorStateException extends RuntimeException {
  public IllegalMonitorStateException() {}

  public IllegalMonitorStateException(String message) {
    super(message);
  }

  public IllegalMonitorStateException(String message, Throwable cause) {
    super(message, cause);
  }

  public IllegalMonitorStateException(Throwable cause) {
    super(cause);
  }
}
