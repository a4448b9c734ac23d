// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A file cannot be opened. */
public class FileNotFoundException extends IOException {
  public FileNotFoundException() {}

  public FileNotFoundException(String message) {
    super(message);
  }

  public FileNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }

  public FileNotFoundException(Throwable cause) {
    super(cause);
  }
}
