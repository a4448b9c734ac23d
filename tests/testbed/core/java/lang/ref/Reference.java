// SPDX-License-Identifier: Apache-2.0
package java.lang.ref;

/**
 * A reference that the collector treats specially. ART lays it out in C++ (runtime/mirror/reference.h) and checks its
 * size: two static booleans and four virtual methods.
 */
public abstract class Reference<T> {
  private static boolean disableIntrinsic = false;
  private static boolean slowPathEnabled = false;

  /** ART clears and reads it behind Java's back. */
  volatile T referent;

  final ReferenceQueue<? super T> queue;

  /** The next in its queue; itself once taken out. */
  @SuppressWarnings("rawtypes")
  Reference queueNext;

  /** Links what the collector cleared into a circle, until it is enqueued. */
  Reference<?> pendingNext;

  Reference(T referent) {
    this(referent, null);
  }

  Reference(T referent, ReferenceQueue<? super T> queue) {
    this.referent = referent;
    this.queue = queue;
  }

  public T get() {
    return getReferent();
  }

  public void clear() {
    clearReferent();
  }

  public boolean enqueue() {
    return queue != null && queue.enqueue(this);
  }

  public static void reachabilityFence(Object object) {}

  private final native T getReferent();

  private native void clearReferent();
}
