// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * A loaded class. ART lays it out in C++ (runtime/mirror/class.h) and checks its size: four static ints, one static
 * long, and 67 virtual methods of its own at most. Fields that Java code does not read are added from the fact tables.
 */
public final class Class<T> implements java.io.Serializable, AnnotatedElement {
  private static final long serialVersionUID = 3206093459760846163L;
  private static final int ANNOTATION = 0x2000;
  private static final int ENUM = 0x4000;
  private static final int SYNTHETIC = 0x1000;
  private static final int JAVA_FLAGS = 0xffff;

  private transient ClassLoader classLoader;
  private transient Class<?> componentType;
  private transient Object[] ifTable;
  private transient String name;
  private transient Class<? super T> superClass;
  private transient int accessFlags;
  private transient int primitiveType;

  private Class() {}

  public static Class<?> forName(String className) throws ClassNotFoundException {
    return forName(className, true, dalvik.system.VMStack.callingClassLoader());
  }

  public static Class<?> forName(String className, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException {
    ClassLoader from = loader == null ? BootClassLoader.getInstance() : loader;
    try {
      return classForName(className, initialize, from);
    } catch (ClassNotFoundException exception) {
      if (exception.getCause() instanceof LinkageError) {
        throw (LinkageError) exception.getCause();
      }
      throw exception;
    }
  }

  public String getName() {
    String known = name;
    if (known == null) {
      known = getNameNative();
      name = known;
    }
    return known;
  }

  public String getTypeName() {
    return isArray() ? componentType.getTypeName() + "[]" : getName();
  }

  public String getCanonicalName() {
    return getTypeName().replace('$', '.');
  }

  public String getSimpleName() {
    if (isArray()) {
      return componentType.getSimpleName() + "[]";
    }
    if (isAnonymousClass()) {
      return "";
    }
    String inner = getInnerClassName();
    return inner != null ? inner : getName().substring(getName().lastIndexOf('.') + 1);
  }

  public String getPackageName() {
    int dot = getName().lastIndexOf('.');
    return dot < 0 ? "" : getName().substring(0, dot);
  }

  public boolean isArray() {
    return componentType != null;
  }

  public Class<?> getComponentType() {
    return componentType;
  }

  /** The upper half of {@code primitiveType} is a size, the lower half the kind; 0 is a reference. */
  public boolean isPrimitive() {
    return (primitiveType & 0xffff) != 0;
  }

  public boolean isInterface() {
    return (accessFlags & Modifier.INTERFACE) != 0;
  }

  public boolean isAnnotation() {
    return (getModifiers() & ANNOTATION) != 0;
  }

  public boolean isEnum() {
    return (getModifiers() & ENUM) != 0 && superClass == Enum.class;
  }

  public boolean isSynthetic() {
    return (getModifiers() & SYNTHETIC) != 0;
  }

  public native boolean isAnonymousClass();

  public boolean isMemberClass() {
    return !isAnonymousClass() && getDeclaringClass() != null;
  }

  public int getModifiers() {
    if (isArray()) {
      int visibility = Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED;
      return componentType.getModifiers() & visibility | Modifier.ABSTRACT | Modifier.FINAL;
    }
    return getInnerClassFlags(accessFlags & JAVA_FLAGS) & JAVA_FLAGS;
  }

  public boolean isInstance(Object object) {
    return object != null && isAssignableFrom(object.getClass());
  }

  public boolean isAssignableFrom(Class<?> other) {
    if (this == other) {
      return true;
    }
    if (this == Object.class) {
      return !other.isPrimitive();
    }
    if (isArray()) {
      return other.isArray() && componentType.isAssignableFrom(other.componentType);
    }
    if (isInterface()) {
      return other.implementsInterface(this);
    }
    for (Class<?> each = other.superClass; !other.isInterface() && each != null; each = each.superClass) {
      if (each == this) {
        return true;
      }
    }
    return false;
  }

  /** ifTable holds pairs: an interface and its method array. */
  private boolean implementsInterface(Class<?> wanted) {
    Object[] table = ifTable;
    for (int i = 0; table != null && i < table.length; i += 2) {
      if (table[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked")
  public T cast(Object object) {
    if (object != null && !isInstance(object)) {
      throw new ClassCastException("Cannot cast " + object.getClass().getName() + " to " + getName());
    }
    return (T) object;
  }

  @SuppressWarnings("unchecked")
  public <U> Class<? extends U> asSubclass(Class<U> superType) {
    if (!superType.isAssignableFrom(this)) {
      throw new ClassCastException(toString() + " cannot be cast to " + superType.getName());
    }
    return (Class<? extends U>) this;
  }

  public Class<? super T> getSuperclass() {
    return isInterface() ? null : superClass;
  }

  public Class<?>[] getInterfaces() {
    return isArray() ? new Class<?>[] {Cloneable.class, java.io.Serializable.class} : getInterfacesInternal();
  }

  public ClassLoader getClassLoader() {
    return isPrimitive() ? null : classLoader == null ? BootClassLoader.getInstance() : classLoader;
  }

  public native T newInstance() throws InstantiationException, IllegalAccessException;

  @SuppressWarnings("unchecked")
  public T[] getEnumConstants() {
    return isEnum() ? (T[]) Enum.constantsOf((Class) this).clone() : null;
  }

  /** Assertions are on: this is a test bed. */
  public boolean desiredAssertionStatus() {
    return true;
  }

  public Field getField(String fieldName) throws NoSuchFieldException {
    Field field = getPublicFieldRecursive(fieldName);
    if (field == null) {
      throw new NoSuchFieldException(fieldName);
    }
    return field;
  }

  public native Field getDeclaredField(String fieldName) throws NoSuchFieldException;

  public native Field[] getDeclaredFields();

  public Method getDeclaredMethod(String methodName, Class<?>... parameters) throws NoSuchMethodException {
    Method method = getDeclaredMethodInternal(methodName, parameters);
    if (method == null) {
      throw new NoSuchMethodException(getName() + "." + methodName);
    }
    return method;
  }

  public Method[] getDeclaredMethods() {
    return getDeclaredMethodsUnchecked(false);
  }

  /** Searches superclasses, then interfaces. */
  public Method getMethod(String methodName, Class<?>... parameters) throws NoSuchMethodException {
    for (Class<?> each = this; each != null; each = each.superClass) {
      Method method = each.getDeclaredMethodInternal(methodName, parameters);
      if (method != null && Modifier.isPublic(method.getModifiers())) {
        return method;
      }
    }
    Object[] table = ifTable;
    for (int i = 0; table != null && i < table.length; i += 2) {
      Method method = ((Class<?>) table[i]).getDeclaredMethodInternal(methodName, parameters);
      if (method != null) {
        return method;
      }
    }
    throw new NoSuchMethodException(getName() + "." + methodName);
  }

  public Method[] getMethods() {
    List<Method> methods = new ArrayList<>();
    for (Class<?> each = this; each != null; each = each.superClass) {
      for (Method method : each.getDeclaredMethodsUnchecked(true)) {
        methods.add(method);
      }
    }
    return methods.toArray(new Method[methods.size()]);
  }

  public Constructor<T> getDeclaredConstructor(Class<?>... parameters) throws NoSuchMethodException {
    Constructor<T> constructor = getDeclaredConstructorInternal(parameters);
    if (constructor == null) {
      throw new NoSuchMethodException(getName() + ".<init>");
    }
    return constructor;
  }

  public Constructor<T> getConstructor(Class<?>... parameters) throws NoSuchMethodException {
    return getDeclaredConstructor(parameters);
  }

  public Constructor<?>[] getDeclaredConstructors() {
    return getDeclaredConstructorsInternal(false);
  }

  public native Class<?> getDeclaringClass();

  public native Class<?> getEnclosingClass();

  @Override
  public native <A extends Annotation> A getDeclaredAnnotation(Class<A> annotationClass);

  @Override
  public <A extends Annotation> A getAnnotation(Class<A> annotationClass) {
    return getDeclaredAnnotation(annotationClass);
  }

  @Override
  public native Annotation[] getDeclaredAnnotations();

  @Override
  public boolean isAnnotationPresent(Class<? extends Annotation> annotationClass) {
    return isDeclaredAnnotationPresent(annotationClass);
  }

  @Override
  public String toString() {
    return (isInterface() ? "interface " : isPrimitive() ? "" : "class ") + getName();
  }

  static native Class<?> classForName(String name, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException;

  static native Class<?> getPrimitiveClass(String name);

  private native String getNameNative();

  private native String getInnerClassName();

  private native int getInnerClassFlags(int otherwise);

  private native Class<?>[] getInterfacesInternal();

  private native Field getPublicFieldRecursive(String name);

  private native Method getDeclaredMethodInternal(String name, Class<?>[] parameters);

  private native Method[] getDeclaredMethodsUnchecked(boolean publicOnly);

  private native Constructor<T> getDeclaredConstructorInternal(Class<?>[] parameters);

  private native Constructor<?>[] getDeclaredConstructorsInternal(boolean publicOnly);

  private native boolean isDeclaredAnnotationPresent(Class<? extends Annotation> annotationClass);
}
