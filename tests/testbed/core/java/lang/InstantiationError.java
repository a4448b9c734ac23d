// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class has become abstract. */
public class InstantiationError extends IncompatibleClassChangeError {
  public InstantiationError() {}

  public InstantiationError(String message) {
    super(message);
  }

  public InstantiationError(String message, Throwable cause) {
    super(message, cause);
  }

  public InstantiationError(Throwable cause) {
    super(cause);
  }
}
