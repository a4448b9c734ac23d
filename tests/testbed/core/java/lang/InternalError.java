// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The runtime failed unexpectedly. */
public class InternalError extends VirtualMachineError {
  public InternalError() {}

  public InternalError(String message) {
    super(message);
  }

  public InternalError(String message, Throwable cause) {
    super(message, cause);
  }

  public InternalError(Throwable cause) {
    super(cause);
  }
}
