// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A buffer has no data left. */
public class BufferUnderflowException extends RuntimeException {
  public BufferUnderflowException() {}

  public BufferUnderflowException(String message) {
    super(message);
  }

  public BufferUnderflowException(String message, Throwable cause) {
    super(message, cause);
  }

  public BufferUnderflowException(Throwable cause) {
    super(cause);
  }
}
