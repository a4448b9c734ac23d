// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The verifier rejected a class. */
public class VerifyError extends LinkageError {
  public VerifyError() {}

  public VerifyError(String message) {
    super(message);
  }

  public VerifyError(String message, Throwable cause) {
    super(message, cause);
  }

  public VerifyError(Throwable cause) {
    super(cause);
  }
}
