// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class that was there at compile time is missing. */
public class NoClassDefFoundError extends LinkageError {
  public NoClassDefFoundError() {}

  public NoClassDefFoundError(String message) {
    super(message);
  }

  public NoClassDefFoundError(String message, Throwable cause) {
    super(message, cause);
  }

  public NoClassDefFoundError(Throwable cause) {
    super(cause);
  }
}
