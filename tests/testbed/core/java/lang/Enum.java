// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.reflect.InvocationTargetException;

/** The superclass of all enums. */
public abstract class Enum<E extends Enum<E>> implements Comparable<E>, java.io.Serializable {
  private final String name;
  private final int ordinal;

  protected Enum(String name, int ordinal) {
    this.name = name;
    this.ordinal = ordinal;
  }

  public final String name() {
    return name;
  }

  public final int ordinal() {
    return ordinal;
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  @Override
  public final int hashCode() {
    return super.hashCode();
  }

  @Override
  protected final Object clone() throws CloneNotSupportedException {
    throw new CloneNotSupportedException(name);
  }

  @Override
  public final int compareTo(E other) {
    return ordinal - ((Enum<?>) other).ordinal;
  }

  @SuppressWarnings("unchecked")
  public final Class<E> getDeclaringClass() {
    Class<?> own = getClass();
    Class<?> parent = own.getSuperclass();
    return (Class<E>) (parent == Enum.class ? own : parent);
  }

  public static <T extends Enum<T>> T valueOf(Class<T> enumClass, String name) {
    for (Enum<?> constant : constantsOf(enumClass)) {
      if (constant.name.equals(name)) {
        return enumClass.cast(constant);
      }
    }
    if (name == null) {
      throw new NullPointerException("Name is null");
    }
    throw new IllegalArgumentException("No enum constant " + enumClass.getCanonicalName() + "." + name);
  }

  static Enum<?>[] constantsOf(Class<? extends Enum> enumClass) {
    try {
      return (Enum<?>[]) enumClass.getDeclaredMethod("values").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException exception) {
      throw new IllegalArgumentException(enumClass.getName() + " is not an enum class", exception);
    }
  }
}
