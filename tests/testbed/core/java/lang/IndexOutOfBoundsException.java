// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** An index is outside of its range. */
public class IndexOutOfBoundsException extends RuntimeException {
  public IndexOutOfBoundsException() {}

  public IndexOutOfBoundsException(String message) {
    super(message);
  }

  public IndexOutOfBoundsException(int index) {
    super("Index out of range: " + index);
  }
}
