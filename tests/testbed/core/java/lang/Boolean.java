// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** A boxed boolean. */
public final class Boolean implements Comparable<Boolean>, java.io.Serializable {
  public static final Boolean TRUE = new Boolean(true);
  public static final Boolean FALSE = new Boolean(false);

  @SuppressWarnings("unchecked")
  public static final Class<Boolean> TYPE = (Class<Boolean>) Class.getPrimitiveClass("boolean");

  private final boolean value;

  public Boolean(boolean value) {
    this.value = value;
  }

  public static Boolean valueOf(boolean bool) {
    return bool ? TRUE : FALSE;
  }

  public static Boolean valueOf(String text) {
    return valueOf(parseBoolean(text));
  }

  public static boolean parseBoolean(String text) {
    return "true".equalsIgnoreCase(text);
  }

  public static boolean getBoolean(String property) {
    return parseBoolean(System.getProperty(property));
  }

  public boolean booleanValue() {
    return value;
  }

  public static boolean logicalAnd(boolean left, boolean right) {
    return left & right;
  }

  public static boolean logicalOr(boolean left, boolean right) {
    return left | right;
  }

  public static boolean logicalXor(boolean left, boolean right) {
    return left ^ right;
  }

  public static int compare(boolean left, boolean right) {
    return left == right ? 0 : left ? 1 : -1;
  }

  @Override
  public int compareTo(Boolean other) {
    return compare(value, other.value);
  }

  @Override
  public int hashCode() {
    return hashCode(value);
  }

  public static int hashCode(boolean bool) {
    return bool ? 1231 : 1237;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Boolean && ((Boolean) other).value == value;
  }

  public static String toString(boolean bool) {
    return bool ? "true" : "false";
  }

  @Override
  public String toString() {
    return toString(value);
  }
}
