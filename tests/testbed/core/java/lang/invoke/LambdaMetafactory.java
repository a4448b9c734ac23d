// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac, which refers to it in lambdas; the build rewrites those into classes. */
public final class LambdaMetafactory {
  public static final int FLAG_SERIALIZABLE = 1;
  public static final int FLAG_MARKERS = 2;
  public static final int FLAG_BRIDGES = 4;

  public static CallSite metafactory(
      MethodHandles.Lookup caller,
      String name,
      MethodType factoryType,
      MethodType interfaceType,
      MethodHandle body,
      MethodType dynamicType) {
    throw new UnsupportedOperationException("lambdas are rewritten at build time");
  }

  public static CallSite altMetafactory(
      MethodHandles.Lookup caller, String name, MethodType factoryType, Object... arguments) {
    throw new UnsupportedOperationException("lambdas are rewritten at build time");
  }

  private LambdaMetafactory() {}
}
