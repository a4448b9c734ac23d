// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A native method has no implementation. */
public class UnsatisfiedLinkError extends LinkageError {
  public UnsatisfiedLinkError() {}

  public UnsatisfiedLinkError(String message) {
    super(message);
  }

  public UnsatisfiedLinkError(String message, Throwable cause) {
    super(message, cause);
  }

  public UnsatisfiedLinkError(Throwable cause) {
    super(cause);
  }
}
