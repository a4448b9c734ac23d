// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac and ART; calls through it are not supported here. */
public abstract class MethodHandle {
  MethodHandle() {}
}
