// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac and ART. */
public final class MethodType implements java.io.Serializable {
  MethodType() {}
}
