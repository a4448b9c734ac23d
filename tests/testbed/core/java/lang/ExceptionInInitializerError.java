// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A static initializer threw. */
public class ExceptionInInitializerError extends LinkageError {
  public ExceptionInInitializerError() {}

  public ExceptionInInitializerError(String message) {
    super(message);
  }

  public ExceptionInInitializerError(Throwable thrown) {
    super(null, thrown);
  }

  public Throwable getException() {
    return getCause();
  }
}
