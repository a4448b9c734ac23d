// SPDX-License-Identifier: Apache-2.0
package android.os;

import android.util.Log;
import android.util.Printer;
import java.util.ArrayList;

/**
 * The messages of one looper in the order of their time, and the poll the loop sleeps in.
 *
 * <p>Field and native names are those of AOSP 10 to 14, because profilers look for them: the list
 * hangs on {@code mMessages} and is guarded by this object's monitor. A barrier is a message
 * without a target whose {@code arg1} is its token. File descriptor listeners are left out, and
 * the native poller is freed when the queue quits, not by a finalizer.
 */
public final class MessageQueue {
  private static final String TAG = "MessageQueue";
  private static final int POLL_FOREVER = -1;
  private static final IdleHandler[] NO_IDLE_HANDLERS = {};

  private final boolean mQuitAllowed;
  private long mPtr; // the native poller; 0 once the queue has quit
  Message mMessages;
  private final ArrayList<IdleHandler> mIdleHandlers = new ArrayList<>();
  private boolean mQuitting;
  private boolean mBlocked; // next() waits in nativePollOnce, or is about to
  private int mNextBarrierToken;

  private static native long nativeInit();

  private static native void nativeDestroy(long ptr);

  private native void nativePollOnce(long ptr, int timeoutMillis);

  private static native void nativeWake(long ptr);

  private static native boolean nativeIsPolling(long ptr);

  private static native void nativeCallFromPoll(long ptr, Runnable callback);

  MessageQueue(boolean quitAllowed) {
    mQuitAllowed = quitAllowed;
    mPtr = nativeInit();
  }

  /** Called when a loop has nothing to do. */
  public interface IdleHandler {
    /** Returns whether to stay registered. Messages of a later time may wait. */
    boolean queueIdle();
  }

  /** Whether no message is due. */
  public synchronized boolean isIdle() {
    return mMessages == null || SystemClock.uptimeMillis() < mMessages.when;
  }

  public void addIdleHandler(IdleHandler handler) {
    if (handler == null) {
      throw new NullPointerException("Can't add a null IdleHandler");
    }
    synchronized (this) {
      mIdleHandlers.add(handler);
    }
  }

  public synchronized void removeIdleHandler(IdleHandler handler) {
    mIdleHandlers.remove(handler);
  }

  /**
   * Whether the looper's thread sleeps in its poll right now.
   *
   * @hide
   */
  public synchronized boolean isPolling() {
    return isPollingLocked();
  }

  private boolean isPollingLocked() {
    return !mQuitting && nativeIsPolling(mPtr);
  }

  /**
   * Has native code call this on the looper's thread, out of its poll, as the platform's calls what
   * an input event is for. The test bed's own; one at a time.
   */
  public synchronized void callFromPoll(Runnable callback) {
    nativeCallFromPoll(mPtr, callback);
  }

  /** The next message that is due, waiting for it; null once the queue has quit. */
  Message next() {
    final long ptr = mPtr;
    if (ptr == 0) {
      return null;
    }

    boolean mayRunIdleHandlers = true; // only the first time a call finds nothing due
    int timeoutMillis = 0;
    while (true) {
      nativePollOnce(ptr, timeoutMillis);

      final IdleHandler[] idleHandlers;
      synchronized (this) {
        final long now = SystemClock.uptimeMillis();
        Message prev = null;
        Message msg = mMessages;
        if (isBarrier(msg)) {
          do {
            prev = msg;
            msg = msg.next;
          } while (msg != null && !msg.isAsynchronous());
        }
        if (msg != null && now >= msg.when) {
          mBlocked = false;
          unlinkLocked(prev, msg);
          msg.markInUse();
          return msg;
        }
        timeoutMillis =
            msg == null ? POLL_FOREVER : (int) Math.min(msg.when - now, Integer.MAX_VALUE);

        if (mQuitting) {
          nativeDestroy(mPtr);
          mPtr = 0;
          return null;
        }
        final boolean idle = mMessages == null || now < mMessages.when;
        idleHandlers = idle && mayRunIdleHandlers
            ? mIdleHandlers.toArray(new IdleHandler[mIdleHandlers.size()])
            : NO_IDLE_HANDLERS;
        mayRunIdleHandlers &= !idle;
        if (idleHandlers.length == 0) {
          mBlocked = true;
          continue;
        }
      }
      runIdleHandlers(idleHandlers);
      timeoutMillis = 0; // they may have sent a message
    }
  }

  private void runIdleHandlers(IdleHandler[] handlers) {
    for (IdleHandler handler : handlers) {
      boolean keep = false;
      try {
        keep = handler.queueIdle();
      } catch (Throwable t) {
        Log.wtf(TAG, "IdleHandler threw exception", t);
      }
      if (!keep) {
        removeIdleHandler(handler);
      }
    }
  }

  void quit(boolean safe) {
    if (!mQuitAllowed) {
      throw new IllegalStateException("Main thread not allowed to quit.");
    }
    synchronized (this) {
      if (mQuitting) {
        return;
      }
      mQuitting = true;
      if (safe) {
        final long now = SystemClock.uptimeMillis();
        removeMatching(m -> m.when > now);
      } else {
        removeMatching(m -> true);
      }
      nativeWake(mPtr);
    }
  }

  /**
   * Holds synchronous messages back from now on.
   *
   * @return the token for {@link #removeSyncBarrier}
   * @hide
   */
  public int postSyncBarrier() {
    return postSyncBarrier(SystemClock.uptimeMillis());
  }

  private synchronized int postSyncBarrier(long when) {
    // A barrier takes effect when the loop next looks; it never needs to wake it.
    final Message msg = Message.obtain();
    msg.markInUse();
    msg.when = when;
    msg.arg1 = mNextBarrierToken++;
    insertLocked(msg);
    return msg.arg1;
  }

  /**
   * Lets the messages behind a barrier through.
   *
   * @throws IllegalStateException without such a barrier
   * @hide
   */
  public synchronized void removeSyncBarrier(int token) {
    Message prev = null;
    Message p = mMessages;
    while (p != null && (p.target != null || p.arg1 != token)) {
      prev = p;
      p = p.next;
    }
    if (p == null) {
      throw new IllegalStateException("The specified message queue synchronization "
          + " barrier token has not been posted or has already been removed.");
    }
    unlinkLocked(prev, p);
    p.recycleUnchecked();

    final boolean stalledBefore = prev == null;
    if (stalledBefore && !isBarrier(mMessages) && !mQuitting) {
      nativeWake(mPtr);
    }
  }

  /** Adds a message at its time, 0 for the very front; false when the queue has quit. */
  boolean enqueueMessage(Message msg, long when) {
    if (msg.target == null) {
      throw new IllegalArgumentException("Message must have a target.");
    }
    synchronized (this) {
      if (msg.isInUse()) {
        throw new IllegalStateException(msg + " This message is already in use.");
      }
      if (mQuitting) {
        final IllegalStateException dead = new IllegalStateException(
            msg.target + " sending message to a Handler on a dead thread");
        Log.w(TAG, dead.getMessage(), dead);
        msg.recycle();
        return false;
      }

      msg.markInUse();
      msg.when = when;
      final Message oldHead = mMessages;
      final Message prev = insertLocked(msg);
      // A message inside the list matters to a sleeping loop only behind a barrier, and only as
      // the first asynchronous one.
      final boolean isNext = prev == null
          || (isBarrier(oldHead) && msg.isAsynchronous() && !hasAsynchronousBefore(msg));
      if (mBlocked && isNext) {
        nativeWake(mPtr);
      }
      return true;
    }
  }

  /** Inserts behind the messages of the same time; returns the one before it, null at the front. */
  private Message insertLocked(Message msg) {
    Message prev = null;
    Message p = mMessages;
    if (msg.when != 0) {
      while (p != null && p.when <= msg.when) {
        prev = p;
        p = p.next;
      }
    }
    msg.next = p;
    if (prev == null) {
      mMessages = msg;
    } else {
      prev.next = msg;
    }
    return prev;
  }

  private void unlinkLocked(Message prev, Message msg) {
    if (prev == null) {
      mMessages = msg.next;
    } else {
      prev.next = msg.next;
    }
    msg.next = null;
  }

  private static boolean isBarrier(Message msg) {
    return msg != null && msg.target == null;
  }

  private boolean hasAsynchronousBefore(Message end) {
    for (Message p = mMessages; p != end; p = p.next) {
      if (p.isAsynchronous()) {
        return true;
      }
    }
    return false;
  }

  boolean hasMessages(Handler h) {
    return anyMatching(m -> m.target == h);
  }

  boolean hasMessages(Handler h, int what, Object object) {
    return anyMatching(m -> m.target == h && m.what == what && isObject(m, object));
  }

  boolean hasMessages(Handler h, Runnable r, Object object) {
    return anyMatching(m -> m.target == h && m.callback == r && isObject(m, object));
  }

  boolean hasEqualMessages(Handler h, int what, Object object) {
    return anyMatching(m -> m.target == h && m.what == what && equalsObject(m, object));
  }

  void removeMessages(Handler h, int what, Object object) {
    removeMatching(m -> m.target == h && m.what == what && isObject(m, object));
  }

  void removeMessages(Handler h, Runnable r, Object object) {
    if (r != null) {
      removeMatching(m -> m.target == h && m.callback == r && isObject(m, object));
    }
  }

  void removeEqualMessages(Handler h, int what, Object object) {
    removeMatching(m -> m.target == h && m.what == what && equalsObject(m, object));
  }

  void removeCallbacksAndMessages(Handler h, Object object) {
    removeMatching(m -> m.target == h && isObject(m, object));
  }

  private static boolean isObject(Message msg, Object wanted) {
    return wanted == null || msg.obj == wanted;
  }

  private static boolean equalsObject(Message msg, Object wanted) {
    return wanted == null || wanted.equals(msg.obj);
  }

  private interface Filter {
    boolean matches(Message msg);
  }

  private synchronized boolean anyMatching(Filter filter) {
    for (Message p = mMessages; p != null; p = p.next) {
      if (filter.matches(p)) {
        return true;
      }
    }
    return false;
  }

  private synchronized void removeMatching(Filter filter) {
    Message prev = null;
    Message p = mMessages;
    while (p != null) {
      final Message next = p.next;
      if (filter.matches(p)) {
        unlinkLocked(prev, p);
        p.recycleUnchecked();
      } else {
        prev = p;
      }
      p = next;
    }
  }

  synchronized void dump(Printer pw, String prefix, Handler h) {
    final long now = SystemClock.uptimeMillis();
    int n = 0;
    for (Message msg = mMessages; msg != null; msg = msg.next) {
      if (h == null || h == msg.target) {
        pw.println(prefix + "Message " + n + ": " + msg.toString(now));
      }
      n++;
    }
    pw.println(prefix + "(Total messages: " + n + ", polling=" + isPollingLocked()
        + ", quitting=" + mQuitting + ")");
  }
}
