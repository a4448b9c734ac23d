// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An array index is negative or not below the length. */
public class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {
  public ArrayIndexOutOfBoundsException() {}

  public ArrayIndexOutOfBoundsException(String message) {
    super(message);
  }

  public ArrayIndexOutOfBoundsException(int index) {
    super("Array index out of range: " + index);
  }
}
