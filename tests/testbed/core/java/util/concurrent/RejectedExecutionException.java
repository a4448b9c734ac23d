// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** An executor does not take a task. */
public class RejectedExecutionException extends RuntimeException {
  public RejectedExecutionException() {}

  public RejectedExecutionException(String message) {
    super(message);
  }

  public RejectedExecutionException(String message, Throwable cause) {
    super(message, cause);
  }

  public RejectedExecutionException(Throwable cause) {
    super(cause);
  }
}
