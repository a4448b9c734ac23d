// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class has changed incompatibly. */
public class IncompatibleClassChangeError extends LinkageError {
  public IncompatibleClassChangeError() {}

  public IncompatibleClassChangeError(String message) {
    super(message);
  }

  public IncompatibleClassChangeError(String message, Throwable cause) {
    super(message, cause);
  }

  public IncompatibleClassChangeError(Throwable cause) {
    super(cause);
  }
}
