// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Makes classes whose methods all go to a handler. ART makes them, and calls {@link #invoke}. */
public class Proxy {
  private static int made;

  protected InvocationHandler h;

  protected Proxy(InvocationHandler h) {
    this.h = h;
  }

  public static synchronized Object newProxyInstance(
      ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> each : interfaces) {
      Collections.addAll(methods, each.getDeclaredMethods());
    }
    Method[] all = methods.toArray(new Method[0]);
    Class<?> type =
        generateProxy("$Proxy" + made++, interfaces, loader, all, new Class<?>[all.length][0]);
    try {
      return type.getConstructor(InvocationHandler.class).newInstance(handler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object invoke(Proxy proxy, Method method, Object[] arguments) throws Throwable {
    return proxy.h.invoke(proxy, method, arguments);
  }

  private static native Class<?> generateProxy(
      String name,
      Class<?>[] interfaces,
      ClassLoader loader,
      Method[] methods,
      Class<?>[][] exceptions);
}
