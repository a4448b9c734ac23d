// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Another party left the barrier. */
public class BrokenBarrierException extends Exception {
  public BrokenBarrierException() {}

  public BrokenBarrierException(String message) {
    super(message);
  }

  public BrokenBarrierException(String message, Throwable cause) {
    super(message, cause);
  }

  public BrokenBarrierException(Throwable cause) {
    super(cause);
  }
}
