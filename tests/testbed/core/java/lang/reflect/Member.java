// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A field, method or constructor. */
public interface Member {
  Class<?> getDeclaringClass();

  String getName();

  int getModifiers();
}
