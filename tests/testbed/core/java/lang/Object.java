// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The root of all classes. ART lays it out in C++ too (runtime/mirror/object.h): two fields, eleven methods. */
public class Object {
  private transient Class<?> shadow$_klass_;
  private transient int shadow$_monitor_;

  public Object() {}

  public final Class<?> getClass() {
    return shadow$_klass_;
  }

  public int hashCode() {
    return identityHashCode(this);
  }

  public boolean equals(Object other) {
    return this == other;
  }

  public String toString() {
    return getClass().getName() + "@" + Integer.toHexString(hashCode());
  }

  protected Object clone() throws CloneNotSupportedException {
    if (!(this instanceof Cloneable)) {
      throw new CloneNotSupportedException(getClass().getName());
    }
    return internalClone();
  }

  protected void finalize() throws Throwable {}

  public final native void notify();

  public final native void notifyAll();

  public final void wait() throws InterruptedException {
    wait(0L, 0);
  }

  public final void wait(long timeoutMillis) throws InterruptedException {
    wait(timeoutMillis, 0);
  }

  public final native void wait(long timeoutMillis, int nanos) throws InterruptedException;

  static int identityHashCode(Object object) {
    return object == null ? 0 : identityHashCodeNative(object);
  }

  private native Object internalClone();

  private static native int identityHashCodeNative(Object object);
}
