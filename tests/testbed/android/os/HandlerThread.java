// SPDX-License-Identifier: Apache-2.0
package android.os;

/** A thread with a looper. */
public class HandlerThread extends Thread {
  private final int mPriority;
  private volatile int mTid = -1;
  private Looper mLooper; // guarded by this
  private Handler mHandler; // guarded by this

  public HandlerThread(String name) {
    this(name, Process.THREAD_PRIORITY_DEFAULT);
  }

  /** {@code priority} is a Linux nice value, as {@link Process#setThreadPriority} takes it. */
  public HandlerThread(String name, int priority) {
    super(name);
    mPriority = priority;
  }

  /** Called on the thread before its loop starts. */
  protected void onLooperPrepared() {}

  @Override
  public void run() {
    mTid = Process.myTid();
    Looper.prepare();
    synchronized (this) {
      mLooper = Looper.myLooper();
      notifyAll();
    }
    Process.setThreadPriority(mPriority);
    onLooperPrepared();
    Looper.loop();
    mTid = -1;
  }

  /** The thread's looper, waiting until it has one; null when the thread is not alive. */
  public Looper getLooper() {
    if (!isAlive()) {
      return null;
    }
    boolean interrupted = false;
    final Looper looper;
    synchronized (this) {
      while (isAlive() && mLooper == null) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      looper = mLooper;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return looper;
  }

  /** @hide */
  public synchronized Handler getThreadHandler() {
    if (mHandler == null) {
      mHandler = new Handler(getLooper());
    }
    return mHandler;
  }

  /** False when the thread is not alive. */
  public boolean quit() {
    final Looper looper = getLooper();
    if (looper == null) {
      return false;
    }
    looper.quit();
    return true;
  }

  /** False when the thread is not alive. */
  public boolean quitSafely() {
    final Looper looper = getLooper();
    if (looper == null) {
      return false;
    }
    looper.quitSafely();
    return true;
  }

  /** The kernel's id of the thread; -1 when its loop does not run. */
  public int getThreadId() {
    return mTid;
  }
}
