// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An enum has no constant of that name. */
public class EnumConstantNotPresentException extends RuntimeException {
  public EnumConstantNotPresentException() {}

  public EnumConstantNotPresentException(String message) {
    super(message);
  }

  public EnumConstantNotPresentException(String message, Throwable cause) {
    super(message, cause);
  }

  public EnumConstantNotPresentException(Throwable cause) {
    super(cause);
  }
}
