// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A method of a class. */
public final class Method extends Executable {
  private Method() {}

  @Override
  public String getName() {
    return getMethodNameInternal();
  }

  public Class<?> getReturnType() {
    return getMethodReturnTypeInternal();
  }

  public native Object invoke(Object receiver, Object... arguments)
      throws IllegalAccessException, IllegalArgumentException, InvocationTargetException;

  @Override
  public String toString() {
    return describe(
        getReturnType().getTypeName() + " " + getDeclaringClass().getTypeName() + "." + getName());
  }
}
