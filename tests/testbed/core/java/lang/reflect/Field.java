// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A field of a class. ART lays it out in C++ (runtime/mirror/field.h). */
public final class Field extends AccessibleObject implements Member {
  private int accessFlags;
  private Class<?> declaringClass;
  private Class<?> type;
  private int offset;

  private Field() {}

  @Override
  public Class<?> getDeclaringClass() {
    return declaringClass;
  }

  @Override
  public String getName() {
    return getNameInternal();
  }

  @Override
  public int getModifiers() {
    return accessFlags & 0xffff;
  }

  /** Where the field is within its object, in bytes. */
  public int getOffset() {
    return offset;
  }

  public Class<?> getType() {
    return type;
  }

  public native Object get(Object object) throws IllegalAccessException;

  public native boolean getBoolean(Object object) throws IllegalAccessException;

  public native int getInt(Object object) throws IllegalAccessException;

  public native long getLong(Object object) throws IllegalAccessException;

  public native double getDouble(Object object) throws IllegalAccessException;

  public native void set(Object object, Object value) throws IllegalAccessException;

  public native void setBoolean(Object object, boolean value) throws IllegalAccessException;

  public native void setInt(Object object, int value) throws IllegalAccessException;

  public native void setLong(Object object, long value) throws IllegalAccessException;

  public native void setDouble(Object object, double value) throws IllegalAccessException;

  private native String getNameInternal();

  @Override
  public String toString() {
    return type.getTypeName() + " " + declaringClass.getTypeName() + "." + getName();
  }
}
