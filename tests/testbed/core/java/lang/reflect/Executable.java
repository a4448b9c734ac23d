// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A method or constructor. ART lays it out in C++ (runtime/mirror/executable.h). */
public abstract class Executable extends AccessibleObject implements Member {
  private int accessFlags;
  private Class<?> declaringClass;

  @Override
  public Class<?> getDeclaringClass() {
    return declaringClass;
  }

  @Override
  public int getModifiers() {
    return accessFlags & 0xffff;
  }

  public Class<?>[] getParameterTypes() {
    Class<?>[] types = getParameterTypesInternal();
    return types == null ? new Class<?>[0] : types;
  }

  public int getParameterCount() {
    return getParameterCountInternal();
  }

  native String getMethodNameInternal();

  native Class<?> getMethodReturnTypeInternal();

  private native Class<?>[] getParameterTypesInternal();

  private native int getParameterCountInternal();

  final String describe(String subject) {
    StringBuilder text = new StringBuilder(subject).append('(');
    Class<?>[] types = getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      text.append(i == 0 ? "" : ",").append(types[i].getTypeName());
    }
    return text.append(')').toString();
  }
}
