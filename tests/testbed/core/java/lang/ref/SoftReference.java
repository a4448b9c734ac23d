// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/** Keeps its object until memory is short. */
public class SoftReference<T> extends Reference<T> {
  public SoftReference(T referent) {
    super(referent);
  }

  public SoftReference(T referent, ReferenceQueue<? super T> queue) {
    super(referent, queue);
  }
}
