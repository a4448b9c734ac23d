// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A string index is negative or beyond the length. */
public class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {
  public StringIndexOutOfBoundsException() {}

  public StringIndexOutOfBoundsException(String message) {
    super(message);
  }

  public StringIndexOutOfBoundsException(int index) {
    super("String index out of range: " + index);
  }
}
