// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A thread's stack is used up. */
public class StackOverflowError extends VirtualMachineError {
  public StackOverflowError() {}

  public StackOverflowError(String message) {
    super(message);
  }

  public StackOverflowError(String message, Throwable cause) {
    super(message, cause);
  }

  public StackOverflowError(Throwable cause) {
    super(cause);
  }
}
