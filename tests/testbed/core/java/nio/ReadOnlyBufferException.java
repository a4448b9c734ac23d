// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A read-only buffer is written to. */
public class ReadOnlyBufferException extends UnsupportedOperationException {
  public ReadOnlyBufferException() {}

  public ReadOnlyBufferException(String message) {
    super(message);
  }

  public ReadOnlyBufferException(String message, Throwable cause) {
    super(message, cause);
  }

  public ReadOnlyBufferException(Throwable cause) {
    super(cause);
  }
}
