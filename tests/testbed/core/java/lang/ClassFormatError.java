// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class file is malformed. */
public class ClassFormatError extends LinkageError {
  public ClassFormatError() {}

  public ClassFormatError(String message) {
    super(message);
  }

  public ClassFormatError(String message, Throwable cause) {
    super(message, cause);
  }

  public ClassFormatError(Throwable cause) {
    super(cause);
  }
}
