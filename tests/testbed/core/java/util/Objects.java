// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Supplier;

/** Operations on any object, null included. */
public final class Objects {
  public static boolean equals(Object left, Object right) {
    return left == right || left != null && left.equals(right);
  }

  public static boolean deepEquals(Object left, Object right) {
    return Arrays.deepEquals(new Object[] {left}, new Object[] {right});
  }

  public static int hashCode(Object object) {
    return object == null ? 0 : object.hashCode();
  }

  public static int hash(Object... values) {
    return Arrays.hashCode(values);
  }

  public static String toString(Object object) {
    return String.valueOf(object);
  }

  public static String toString(Object object, String otherwise) {
    return object == null ? otherwise : object.toString();
  }

  public static <T> int compare(T left, T right, Comparator<? super T> order) {
    return left == right ? 0 : order.compare(left, right);
  }

  public static <T> T requireNonNull(T object) {
    if (object == null) {
      throw new NullPointerException();
    }
    return object;
  }

  public static <T> T requireNonNull(T object, String message) {
    if (object == null) {
      throw new NullPointerException(message);
    }
    return object;
  }

  public static <T> T requireNonNull(T object, Supplier<String> message) {
    return requireNonNull(object, object == null ? message.get() : null);
  }

  public static <T> T requireNonNullElse(T object, T otherwise) {
    return object != null ? object : requireNonNull(otherwise);
  }

  public static boolean isNull(Object object) {
    return object == null;
  }

  public static boolean nonNull(Object object) {
    return object != null;
  }

  private Objects() {}
}
