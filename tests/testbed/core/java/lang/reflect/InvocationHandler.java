// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** Answers the calls of a proxy. */
public interface InvocationHandler {
  Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable;
}
