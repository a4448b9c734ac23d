// SPDX-License-Identifier: Apache-2.0
package android.view;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;

/**
 * Calls what makes a frame, in stages, once a refresh of a screen that is not there.
 *
 * <p>Names, stages and the way a frame comes as a message are the platform's (AOSP 10 to 14,
 * core/java/android/view/Choreographer.java): the display's signal posts an asynchronous message at
 * its own time, whose callback makes the frame. The signal is a clock here, 16 ms apart.
 */
public final class Choreographer {
  public static final int CALLBACK_INPUT = 0;
  public static final int CALLBACK_ANIMATION = 1;
  public static final int CALLBACK_INSETS_ANIMATION = 2;
  public static final int CALLBACK_TRAVERSAL = 3;
  public static final int CALLBACK_COMMIT = 4;
  private static final int CALLBACK_LAST = CALLBACK_COMMIT;
  private static final long NANOS_PER_MS = 1_000_000;

  private static final ThreadLocal<Choreographer> sThreadInstance = new ThreadLocal<>();
  private static volatile Choreographer mMainInstance;

  private final Object mLock = new Object();
  private final FrameHandler mHandler;
  private final FrameDisplayEventReceiver mDisplayEventReceiver = new FrameDisplayEventReceiver();
  private final CallbackRecord[] mCallbackQueues = new CallbackRecord[CALLBACK_LAST + 1];
  private final long mFrameIntervalNanos = 16 * NANOS_PER_MS;
  private boolean mFrameScheduled;

  private Choreographer(Looper looper) {
    mHandler = new FrameHandler(looper);
  }

  /** The calling thread's own; the thread must have a looper. */
  public static Choreographer getInstance() {
    Choreographer instance = sThreadInstance.get();
    if (instance == null) {
      Looper looper = Looper.myLooper();
      if (looper == null) {
        throw new IllegalStateException("The current thread must have a looper!");
      }
      instance = new Choreographer(looper);
      sThreadInstance.set(instance);
      if (looper == Looper.getMainLooper()) {
        mMainInstance = instance;
      }
    }
    return instance;
  }

  /** Called back with the time of the next frame. */
  public interface FrameCallback {
    void doFrame(long frameTimeNanos);
  }

  public void postFrameCallback(FrameCallback callback) {
    add(CALLBACK_ANIMATION, new CallbackRecord(null, callback));
  }

  /** @hide */
  public void postCallback(int callbackType, Runnable action, Object token) {
    add(callbackType, new CallbackRecord(action, null));
  }

  private void add(int callbackType, CallbackRecord added) {
    synchronized (mLock) {
      CallbackRecord last = mCallbackQueues[callbackType];
      if (last == null) {
        mCallbackQueues[callbackType] = added;
      } else {
        while (last.next != null) {
          last = last.next;
        }
        last.next = added;
      }
      if (!mFrameScheduled) {
        mFrameScheduled = true;
        mDisplayEventReceiver.scheduleVsync();
      }
    }
  }

  void doFrame(long frameTimeNanos) {
    synchronized (mLock) {
      if (!mFrameScheduled) {
        return;
      }
      mFrameScheduled = false;
    }
    doCallbacks(CALLBACK_INPUT, frameTimeNanos);
    doCallbacks(CALLBACK_ANIMATION, frameTimeNanos);
    doCallbacks(CALLBACK_INSETS_ANIMATION, frameTimeNanos);
    doCallbacks(CALLBACK_TRAVERSAL, frameTimeNanos);
    doCallbacks(CALLBACK_COMMIT, frameTimeNanos);
  }

  void doCallbacks(int callbackType, long frameTimeNanos) {
    CallbackRecord callbacks;
    synchronized (mLock) {
      callbacks = mCallbackQueues[callbackType];
      mCallbackQueues[callbackType] = null;
    }
    for (CallbackRecord c = callbacks; c != null; c = c.next) {
      c.run(frameTimeNanos);
    }
  }

  private static final class FrameHandler extends Handler {
    FrameHandler(Looper looper) {
      super(looper);
    }
  }

  /** The display's signal, and the message that it posts. */
  private final class FrameDisplayEventReceiver implements Runnable {
    private long mTimestampNanos;

    void scheduleVsync() {
      long now = SystemClock.uptimeMillis() * NANOS_PER_MS;
      mTimestampNanos = (now / mFrameIntervalNanos + 1) * mFrameIntervalNanos;
      Message msg = Message.obtain(mHandler, this);
      msg.setAsynchronous(true);
      mHandler.sendMessageAtTime(msg, mTimestampNanos / NANOS_PER_MS);
    }

    @Override
    public void run() {
      doFrame(mTimestampNanos);
    }
  }

  private static final class CallbackRecord {
    private final Runnable action;
    private final FrameCallback callback;
    CallbackRecord next;

    CallbackRecord(Runnable action, FrameCallback callback) {
      this.action = action;
      this.callback = callback;
    }

    void run(long frameTimeNanos) {
      if (callback != null) {
        callback.doFrame(frameTimeNanos);
      } else {
        action.run();
      }
    }
  }
}
