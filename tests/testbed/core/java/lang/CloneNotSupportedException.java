// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An object's class is not Cloneable. */
public class CloneNotSupportedException extends Exception {
  public CloneNotSupportedException() {}

  public CloneNotSupportedException(String message) {
    super(message);
  }

  public CloneNotSupportedException(String message, Throwable cause) {
    super(message, cause);
  }

  public CloneNotSupportedException(Throwable cause) {
    super(cause);
  }
}
