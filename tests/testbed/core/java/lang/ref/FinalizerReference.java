// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/** Keeps an object with a finalizer until that has run. ART lays it out in C++ and calls {@link #add}. */
public final class FinalizerReference<T> extends Reference<T> {
  public static final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  private static final Object LIST_LOCK = new Object();

  /** The live ones, so that they are not collected before their objects. */
  private static FinalizerReference<?> head;

  private FinalizerReference<?> prev;
  private FinalizerReference<?> next;

  /** ART moves the object from referent to here when only finalizers reach it. */
  private T zombie;

  private FinalizerReference(T referent, ReferenceQueue<? super T> queue) {
    super(referent, queue);
  }

  /** Called by ART for every new object whose class has a finalizer. */
  public static void add(Object object) {
    FinalizerReference<Object> reference = new FinalizerReference<>(object, queue);
    synchronized (LIST_LOCK) {
      reference.next = head;
      if (head != null) {
        head.prev = reference;
      }
      head = reference;
    }
  }

  /** Takes the object out and forgets this reference. */
  public T takeObject() {
    synchronized (LIST_LOCK) {
      if (prev != null) {
        prev.next = next;
      } else if (head == this) {
        head = next;
      }
      if (next != null) {
        next.prev = prev;
      }
      prev = null;
      next = null;
    }
    T object = zombie;
    zombie = null;
    return object;
  }
}
