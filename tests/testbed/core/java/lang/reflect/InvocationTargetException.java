// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A method called by reflection threw; its exception is the cause. */
public class InvocationTargetException extends ReflectiveOperationException {
  protected InvocationTargetException() {
    super((Throwable) null);
  }

  public InvocationTargetException(Throwable target) {
    super((Throwable) target);
  }

  public InvocationTargetException(Throwable target, String message) {
    super(message, target);
  }

  public Throwable getTargetException() {
    return getCause();
  }
}
