// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class file is too new. */
public class UnsupportedClassVersionError extends ClassFormatError {
  public UnsupportedClassVersionError() {}

  public UnsupportedClassVersionError(String message) {
    super(message);
  }

  public UnsupportedClassVersionError(String message, Throwable cause) {
    super(message, cause);
  }

  public UnsupportedClassVersionError(Throwable cause) {
    super(cause);
  }
}
