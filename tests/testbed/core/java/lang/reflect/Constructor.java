// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A constructor of a class. */
public final class Constructor<T> extends Executable {
  private Constructor() {}

  @Override
  public String getName() {
    return getDeclaringClass().getName();
  }

  @SuppressWarnings("unchecked")
  public T newInstance(Object... arguments)
      throws InstantiationException, IllegalAccessException, InvocationTargetException {
    return (T) newInstance0(arguments);
  }

  private native Object newInstance0(Object... arguments)
      throws InstantiationException, IllegalAccessException, InvocationTargetException;

  @Override
  public String toString() {
    return describe(getName());
  }
}
