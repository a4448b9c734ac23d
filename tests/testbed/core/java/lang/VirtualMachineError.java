// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The runtime is broken or out of resources. */
public class VirtualMachineError extends Error {
  public VirtualMachineError() {}

  public VirtualMachineError(String message) {
    super(message);
  }

  public VirtualMachineError(String message, Throwable cause) {
    super(message, cause);
  }

  public VirtualMachineError(Throwable cause) {
    super(cause);
  }
}
