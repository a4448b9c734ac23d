// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac, which refers to it in classes with serializable lambdas; nothing here serializes them. */
public final class SerializedLambda implements java.io.Serializable {
  private SerializedLambda() {}

  public native String getCapturingClass();

  public native String getFunctionalInterfaceClass();

  public native String getFunctionalInterfaceMethodName();

  public native String getFunctionalInterfaceMethodSignature();

  public native String getImplClass();

  public native String getImplMethodName();

  public native String getImplMethodSignature();

  public native int getImplMethodKind();

  public native Object getCapturedArg(int index);
}
