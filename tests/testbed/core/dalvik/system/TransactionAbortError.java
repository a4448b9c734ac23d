// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** Code ran at compile time that may not. */
public class TransactionAbortError extends InternalError {
  public TransactionAbortError() {}

  public TransactionAbortError(String message) {
    super(message);
  }

  public TransactionAbortError(String message, Throwable cause) {
    super(message, cause);
  }

  public TransactionAbortError(Throwable cause) {
    super(cause);
  }
}
