// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class would be its own superclass. */
public class ClassCircularityError extends LinkageError {
  public ClassCircularityError() {}

  public ClassCircularityError(String message) {
    super(message);
  }

  public ClassCircularityError(String message, Throwable cause) {
    super(message, cause);
  }

  public ClassCircularityError(Throwable cause) {
    super(cause);
  }
}
