// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** The bits of a class's, method's or field's modifiers. */
public final class Modifier {
  public static final int PUBLIC = 0x1;
  public static final int PRIVATE = 0x2;
  public static final int PROTECTED = 0x4;
  public static final int STATIC = 0x8;
  public static final int FINAL = 0x10;
  public static final int SYNCHRONIZED = 0x20;
  public static final int VOLATILE = 0x40;
  public static final int TRANSIENT = 0x80;
  public static final int NATIVE = 0x100;
  public static final int INTERFACE = 0x200;
  public static final int ABSTRACT = 0x400;

  public static boolean isPublic(int modifiers) {
    return (modifiers & PUBLIC) != 0;
  }

  public static boolean isPrivate(int modifiers) {
    return (modifiers & PRIVATE) != 0;
  }

  public static boolean isProtected(int modifiers) {
    return (modifiers & PROTECTED) != 0;
  }

  public static boolean isStatic(int modifiers) {
    return (modifiers & STATIC) != 0;
  }

  public static boolean isFinal(int modifiers) {
    return (modifiers & FINAL) != 0;
  }

  public static boolean isNative(int modifiers) {
    return (modifiers & NATIVE) != 0;
  }

  public static boolean isInterface(int modifiers) {
    return (modifiers & INTERFACE) != 0;
  }

  public static boolean isAbstract(int modifiers) {
    return (modifiers & ABSTRACT) != 0;
  }

  private Modifier() {}
}
