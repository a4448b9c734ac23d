// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An array is created with a negative length. */
public class NegativeArraySizeException extends RuntimeException {
  public NegativeArraySizeException() {}

  public NegativeArraySizeException(String message) {
    super(message);
  }

  public NegativeArraySizeException(String message, Throwable cause) {
    super(message, cause);
  }

  public NegativeArraySizeException(Throwable cause) {
    super(cause);
  }
}
