// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A class does not fit the classes it depends on. */
public class LinkageError extends Error {
  public LinkageError() {}

  public LinkageError(String message) {
    super(message);
  }

  public LinkageError(String message, Throwable cause) {
    super(message, cause);
  }

  public LinkageError(Throwable cause) {
    super(cause);
  }
}
