// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An array does not take a value of that type. */
public class ArrayStoreException extends RuntimeException {
  public ArrayStoreException() {}

  public ArrayStoreException(String message) {
    super(message);
  }

  public ArrayStoreException(String message, Throwable cause) {
    super(message, cause);
  }

  public ArrayStoreException(Throwable cause) {
    super(cause);
  }
}
