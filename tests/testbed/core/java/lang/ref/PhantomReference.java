// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/** Says, through its queue, that an object is gone. */
public class PhantomReference<T> extends Reference<T> {
  public PhantomReference(T referent, ReferenceQueue<? super T> queue) {
    super(referent, queue);
  }

  @Override
  public T get() {
    return null;
  }
}
