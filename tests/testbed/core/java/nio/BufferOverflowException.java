// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A buffer has no room left. */
public class BufferOverflowException extends RuntimeException {
  public BufferOverflowException() {}

  public BufferOverflowException(String message) {
    super(message);
  }

  public BufferOverflowException(String message, Throwable cause) {
    super(message, cause);
  }

  public BufferOverflowException(Throwable cause) {
    super(cause);
  }
}
