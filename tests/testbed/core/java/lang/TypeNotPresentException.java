// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A type is referred to by name and does not exist. */
public class TypeNotPresentException extends RuntimeException {
  public TypeNotPresentException() {}

  public TypeNotPresentException(String message) {
    super(message);
  }

  public TypeNotPresentException(String message, Throwable cause) {
    super(message, cause);
  }

  public TypeNotPresentException(Throwable cause) {
    super(cause);
  }
}
