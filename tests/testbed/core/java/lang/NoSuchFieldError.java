// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A field is gone. */
public class NoSuchFieldError extends IncompatibleClassChangeError {
  public NoSuchFieldError() {}

  public NoSuchFieldError(String message) {
    super(message);
  }

  public NoSuchFieldError(String message, Throwable cause) {
    super(message, cause);
  }

  public NoSuchFieldError(Throwable cause) {
    super(cause);
  }
}
