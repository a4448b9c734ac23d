// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A task threw; its exception is the cause. */
public class ExecutionException extends Exception {
  public ExecutionException() {}

  public ExecutionException(String message) {
    super(message);
  }

  public ExecutionException(String message, Throwable cause) {
    super(message, cause);
  }

  public ExecutionException(Throwable cause) {
    super(cause);
  }
}
