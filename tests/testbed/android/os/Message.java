// SPDX-License-Identifier: Apache-2.0
package android.os;

import android.util.TimeUtils;

/**
 * A message to a handler; also the node of a queue's list and of the recycling pool.
 *
 * <p>Field names are those of AOSP 10 to 14 (core/java/android/os/Message.java). The bundle of data and the reply
 * messenger are left out.
 */
public final class Message {
  static final int FLAG_IN_USE = 1 << 0;
  static final int FLAG_ASYNCHRONOUS = 1 << 1;

  private static final int MAX_POOL_SIZE = 50;
  private static final Object sPoolSync = new Object();
  private static Message sPool; // guarded by sPoolSync, linked through next
  private static int sPoolSize; // guarded by sPoolSync

  public int what;
  public int arg1;
  public int arg2;
  public Object obj;

  int flags;
  /** When to dispatch, on the clock of {@link SystemClock#uptimeMillis}; 0 at the front. */
  public long when;
  Handler target;
  Runnable callback;
  Message next;

  public Message() {}

  /** A message from the pool, or a new one when that is empty. */
  public static Message obtain() {
    synchronized (sPoolSync) {
      if (sPool != null) {
        final Message m = sPool;
        sPool = m.next;
        m.next = null;
        m.flags = 0;
        sPoolSize--;
        return m;
      }
    }
    return new Message();
  }

  public static Message obtain(Message orig) {
    final Message m = obtain();
    m.what = orig.what;
    m.arg1 = orig.arg1;
    m.arg2 = orig.arg2;
    m.obj = orig.obj;
    m.target = orig.target;
    m.callback = orig.callback;
    return m;
  }

  public static Message obtain(Handler h) {
    final Message m = obtain();
    m.target = h;
    return m;
  }

  public static Message obtain(Handler h, Runnable callback) {
    final Message m = obtain(h);
    m.callback = callback;
    return m;
  }

  public static Message obtain(Handler h, int what) {
    final Message m = obtain(h);
    m.what = what;
    return m;
  }

  public static Message obtain(Handler h, int what, Object obj) {
    final Message m = obtain(h, what);
    m.obj = obj;
    return m;
  }

  public static Message obtain(Handler h, int what, int arg1, int arg2) {
    return obtain(h, what, arg1, arg2, null);
  }

  public static Message obtain(Handler h, int what, int arg1, int arg2, Object obj) {
    final Message m = obtain(h, what, obj);
    m.arg1 = arg1;
    m.arg2 = arg2;
    return m;
  }

  /**
   * Gives the message back; the caller must not touch it again.
   *
   * @throws IllegalStateException when it waits in a queue or is being dispatched
   */
  public void recycle() {
    if (isInUse()) {
      throw new IllegalStateException(
          "This message cannot be recycled because it is still in use.");
    }
    recycleUnchecked();
  }

  void recycleUnchecked() {
    flags = FLAG_IN_USE; // also in the pool, so that it cannot be sent
    what = 0;
    arg1 = 0;
    arg2 = 0;
    obj = null;
    when = 0;
    target = null;
    callback = null;
    synchronized (sPoolSync) {
      if (sPoolSize < MAX_POOL_SIZE) {
        next = sPool;
        sPool = this;
        sPoolSize++;
      }
    }
  }

  /** Takes over what {@code o} says, but not its target, time and callback. */
  public void copyFrom(Message o) {
    flags = o.flags & ~FLAG_IN_USE;
    what = o.what;
    arg1 = o.arg1;
    arg2 = o.arg2;
    obj = o.obj;
  }

  public long getWhen() {
    return when;
  }

  public void setTarget(Handler target) {
    this.target = target;
  }

  public Handler getTarget() {
    return target;
  }

  public Runnable getCallback() {
    return callback;
  }

  /**
   * Sets what runs instead of the handler.
   *
   * @hide
   */
  public Message setCallback(Runnable r) {
    callback = r;
    return this;
  }

  /**
   * Sets {@link #what} within a chain of calls.
   *
   * @hide
   */
  public Message setWhat(int what) {
    this.what = what;
    return this;
  }

  public void sendToTarget() {
    target.sendMessage(this);
  }

  /** Whether barriers let the message through. */
  public boolean isAsynchronous() {
    return (flags & FLAG_ASYNCHRONOUS) != 0;
  }

  public void setAsynchronous(boolean async) {
    if (async) {
      flags |= FLAG_ASYNCHRONOUS;
    } else {
      flags &= ~FLAG_ASYNCHRONOUS;
    }
  }

  boolean isInUse() {
    return (flags & FLAG_IN_USE) != 0;
  }

  void markInUse() {
    flags |= FLAG_IN_USE;
  }

  @Override
  public String toString() {
    return toString(SystemClock.uptimeMillis());
  }

  /** The platform's one-line form, with the time relative to {@code now}. */
  String toString(long now) {
    final StringBuilder b = new StringBuilder("{ when=");
    TimeUtils.formatDuration(when - now, b);
    if (target == null) {
      return b.append(" barrier=").append(arg1).append(" }").toString();
    }
    if (callback != null) {
      b.append(" callback=").append(callback.getClass().getName());
    } else {
      b.append(" what=").append(what);
    }
    if (arg1 != 0) {
      b.append(" arg1=").append(arg1);
    }
    if (arg2 != 0) {
      b.append(" arg2=").append(arg2);
    }
    if (obj != null) {
      b.append(" obj=").append(obj);
    }
    return b.append(" target=").append(target.getClass().getName()).append(" }").toString();
  }
}
