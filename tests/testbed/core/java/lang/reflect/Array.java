// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** Arrays whose type is known at run time only. */
public final class Array {
  public static Object newInstance(Class<?> componentType, int length) {
    if (componentType == int.class) {
      return new int[length];
    } else if (componentType == long.class) {
      return new long[length];
    } else if (componentType == byte.class) {
      return new byte[length];
    } else if (componentType == char.class) {
      return new char[length];
    } else if (componentType == boolean.class) {
      return new boolean[length];
    } else if (componentType == short.class) {
      return new short[length];
    } else if (componentType == float.class) {
      return new float[length];
    } else if (componentType == double.class) {
      return new double[length];
    }
    return createObjectArray(componentType, length);
  }

  /** An array of arrays; dx also calls this for multi-dimensional array expressions. */
  public static Object newInstance(Class<?> componentType, int... lengths) {
    for (int length : lengths) {
      if (length < 0) {
        throw new NegativeArraySizeException(String.valueOf(length));
      }
    }
    return createMultiArray(componentType, lengths);
  }

  public static int getLength(Object array) {
    if (array instanceof Object[]) {
      return ((Object[]) array).length;
    } else if (array instanceof int[]) {
      return ((int[]) array).length;
    } else if (array instanceof long[]) {
      return ((long[]) array).length;
    } else if (array instanceof byte[]) {
      return ((byte[]) array).length;
    } else if (array instanceof char[]) {
      return ((char[]) array).length;
    } else if (array instanceof boolean[]) {
      return ((boolean[]) array).length;
    } else if (array instanceof short[]) {
      return ((short[]) array).length;
    } else if (array instanceof float[]) {
      return ((float[]) array).length;
    } else if (array instanceof double[]) {
      return ((double[]) array).length;
    }
    throw new IllegalArgumentException("Not an array: " + array.getClass());
  }

  private static native Object createObjectArray(Class<?> componentType, int length);

  private static native Object createMultiArray(Class<?> componentType, int[] lengths);

  private Array() {}
}
