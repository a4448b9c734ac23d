// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The heap has no room for an object. */
public class OutOfMemoryError extends VirtualMachineError {
  public OutOfMemoryError() {}

  public OutOfMemoryError(String message) {
    super(message);
  }

  public OutOfMemoryError(String message, Throwable cause) {
    super(message, cause);
  }

  public OutOfMemoryError(Throwable cause) {
    super(cause);
  }
}
