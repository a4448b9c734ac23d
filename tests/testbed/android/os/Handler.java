// SPDX-License-Identifier: Apache-2.0
package android.os;

import android.util.Printer;

/** Sends messages and callbacks to a looper's queue and handles them on the looper's thread. */
public class Handler {
  final Looper mLooper;
  final MessageQueue mQueue;
  final Callback mCallback;
  final boolean mAsynchronous;

  /** Handles messages in place of a subclass. */
  public interface Callback {
    /** Returns true when {@link Handler#handleMessage} need not see the message. */
    boolean handleMessage(Message msg);
  }

  public Handler() {
    this(null, false);
  }

  public Handler(Callback callback) {
    this(callback, false);
  }

  public Handler(Looper looper) {
    this(looper, null, false);
  }

  public Handler(Looper looper, Callback callback) {
    this(looper, callback, false);
  }

  /** @hide */
  public Handler(boolean async) {
    this(null, async);
  }

  /** @hide */
  public Handler(Callback callback, boolean async) {
    this(requireMyLooper(), callback, async);
  }

  /** @hide */
  public Handler(Looper looper, Callback callback, boolean async) {
    mLooper = looper;
    mQueue = looper.mQueue;
    mCallback = callback;
    mAsynchronous = async;
  }

  private static Looper requireMyLooper() {
    final Looper looper = Looper.myLooper();
    if (looper == null) {
      throw new RuntimeException("Can't create handler inside thread " + Thread.currentThread()
          + " that has not called Looper.prepare()");
    }
    return looper;
  }

  /** A handler whose messages barriers let through. */
  public static Handler createAsync(Looper looper) {
    return createAsync(looper, null);
  }

  public static Handler createAsync(Looper looper, Callback callback) {
    if (looper == null) {
      throw new NullPointerException("looper must not be null");
    }
    return new Handler(looper, callback, true);
  }

  public void handleMessage(Message msg) {}

  /** The message's callback first, else the handler's, else {@link #handleMessage}. */
  public void dispatchMessage(Message msg) {
    if (msg.callback != null) {
      handleCallback(msg);
      return;
    }
    if (mCallback != null && mCallback.handleMessage(msg)) {
      return;
    }
    handleMessage(msg);
  }

  private static void handleCallback(Message message) {
    message.callback.run();
  }

  public final Looper getLooper() {
    return mLooper;
  }

  /** The class of the message's callback, else its {@code what} in hexadecimal. */
  public String getMessageName(Message message) {
    return message.callback != null ? message.callback.getClass().getName()
                                    : "0x" + Integer.toHexString(message.what);
  }

  public final Message obtainMessage() {
    return Message.obtain(this);
  }

  public final Message obtainMessage(int what) {
    return Message.obtain(this, what);
  }

  public final Message obtainMessage(int what, Object obj) {
    return Message.obtain(this, what, obj);
  }

  public final Message obtainMessage(int what, int arg1, int arg2) {
    return Message.obtain(this, what, arg1, arg2);
  }

  public final Message obtainMessage(int what, int arg1, int arg2, Object obj) {
    return Message.obtain(this, what, arg1, arg2, obj);
  }

  private static Message getPostMessage(Runnable r, Object token) {
    final Message m = Message.obtain();
    m.callback = r;
    m.obj = token;
    return m;
  }

  public final boolean post(Runnable r) {
    return sendMessageDelayed(getPostMessage(r, null), 0);
  }

  public final boolean postAtTime(Runnable r, long uptimeMillis) {
    return sendMessageAtTime(getPostMessage(r, null), uptimeMillis);
  }

  public final boolean postAtTime(Runnable r, Object token, long uptimeMillis) {
    return sendMessageAtTime(getPostMessage(r, token), uptimeMillis);
  }

  public final boolean postDelayed(Runnable r, long delayMillis) {
    return sendMessageDelayed(getPostMessage(r, null), delayMillis);
  }

  public final boolean postDelayed(Runnable r, Object token, long delayMillis) {
    return sendMessageDelayed(getPostMessage(r, token), delayMillis);
  }

  public final boolean postAtFrontOfQueue(Runnable r) {
    return sendMessageAtFrontOfQueue(getPostMessage(r, null));
  }

  public final boolean sendEmptyMessage(int what) {
    return sendEmptyMessageDelayed(what, 0);
  }

  public final boolean sendEmptyMessageDelayed(int what, long delayMillis) {
    return sendMessageDelayed(Message.obtain(null, what), delayMillis);
  }

  public final boolean sendEmptyMessageAtTime(int what, long uptimeMillis) {
    return sendMessageAtTime(Message.obtain(null, what), uptimeMillis);
  }

  public final boolean sendMessage(Message msg) {
    return sendMessageDelayed(msg, 0);
  }

  public final boolean sendMessageDelayed(Message msg, long delayMillis) {
    return sendMessageAtTime(msg, SystemClock.uptimeMillis() + Math.max(delayMillis, 0));
  }

  public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
    return enqueueMessage(mQueue, msg, uptimeMillis);
  }

  public final boolean sendMessageAtFrontOfQueue(Message msg) {
    return enqueueMessage(mQueue, msg, 0);
  }

  private boolean enqueueMessage(MessageQueue queue, Message msg, long uptimeMillis) {
    msg.target = this;
    if (mAsynchronous) {
      msg.setAsynchronous(true);
    }
    return queue.enqueueMessage(msg, uptimeMillis);
  }

  public final void removeCallbacks(Runnable r) {
    mQueue.removeMessages(this, r, null);
  }

  public final void removeCallbacks(Runnable r, Object token) {
    mQueue.removeMessages(this, r, token);
  }

  public final void removeMessages(int what) {
    mQueue.removeMessages(this, what, null);
  }

  public final void removeMessages(int what, Object object) {
    mQueue.removeMessages(this, what, object);
  }

  /** @hide */
  public final void removeEqualMessages(int what, Object object) {
    mQueue.removeEqualMessages(this, what, object);
  }

  public final void removeCallbacksAndMessages(Object token) {
    mQueue.removeCallbacksAndMessages(this, token);
  }

  public final boolean hasMessages(int what) {
    return mQueue.hasMessages(this, what, null);
  }

  public final boolean hasMessages(int what, Object object) {
    return mQueue.hasMessages(this, what, object);
  }

  /** @hide */
  public final boolean hasMessagesOrCallbacks() {
    return mQueue.hasMessages(this);
  }

  /** @hide */
  public final boolean hasEqualMessages(int what, Object object) {
    return mQueue.hasEqualMessages(this, what, object);
  }

  public final boolean hasCallbacks(Runnable r) {
    return mQueue.hasMessages(this, r, null);
  }

  /** Prints the handler and the waiting messages of its looper. */
  public final void dump(Printer pw, String prefix) {
    pw.println(prefix + this + " @ " + SystemClock.uptimeMillis());
    mLooper.dump(pw, prefix + "  ");
  }

  @Override
  public String toString() {
    return "Handler (" + getClass().getName() + ") {"
        + Integer.toHexString(System.identityHashCode(this)) + "}";
  }
}
