// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A task was cancelled. */
public class CancellationException extends IllegalStateException {
  public CancellationException() {}

  public CancellationException(String message) {
    super(message);
  }

  public CancellationException(String message, Throwable cause) {
    super(message, cause);
  }

  public CancellationException(Throwable cause) {
    super(cause);
  }
}
