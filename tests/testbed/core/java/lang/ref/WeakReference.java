// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/** Does not keep its object from being collected. */
public class WeakReference<T> extends Reference<T> {
  public WeakReference(T referent) {
    super(referent);
  }

  public WeakReference(T referent, ReferenceQueue<? super T> queue) {
    super(referent, queue);
  }
}
