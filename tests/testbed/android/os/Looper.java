// SPDX-License-Identifier: Apache-2.0
package android.os;

import android.util.Log;
import android.util.Printer;

/**
 * Runs the message loop of a thread.
 *
 * <p>The order of logging, observer, dispatch and recycling is the platform's (AOSP 10 to 14,
 * core/java/android/os/Looper.java). The body of the loop is its own method as in AOSP 12 and
 * later; 10 and 11 have it inside {@link #loop}, so there one frame fewer is on the stack.
 */
public final class Looper {
  private static final String TAG = "Looper";

  static final ThreadLocal<Looper> sThreadLocal = new ThreadLocal<>();
  private static Looper sMainLooper; // guarded by Looper.class
  private static Observer sObserver;

  final MessageQueue mQueue;
  final Thread mThread;
  private boolean mInLoop;
  private Printer mLogging;

  private Looper(boolean quitAllowed) {
    mQueue = new MessageQueue(quitAllowed);
    mThread = Thread.currentThread();
  }

  /** Gives the calling thread a looper that may quit. */
  public static void prepare() {
    prepare(true);
  }

  private static void prepare(boolean quitAllowed) {
    if (sThreadLocal.get() != null) {
      throw new RuntimeException("Only one Looper may be created per thread");
    }
    sThreadLocal.set(new Looper(quitAllowed));
  }

  /** Makes the calling thread the main thread; its looper never quits. */
  public static void prepareMainLooper() {
    prepare(false);
    synchronized (Looper.class) {
      if (sMainLooper != null) {
        throw new IllegalStateException("The main Looper has already been prepared.");
      }
      sMainLooper = myLooper();
    }
  }

  /** The main thread's looper, or null before {@link #prepareMainLooper}. */
  public static Looper getMainLooper() {
    synchronized (Looper.class) {
      return sMainLooper;
    }
  }

  /** The calling thread's looper, or null. */
  public static Looper myLooper() {
    return sThreadLocal.get();
  }

  /** The calling thread's queue; a thread without a looper gets a NullPointerException. */
  public static MessageQueue myQueue() {
    return myLooper().mQueue;
  }

  /**
   * Sets the one observer of all loopers of the process, null for none. Unsynchronised as on the
   * platform: a loop reads it once a message.
   *
   * @hide
   */
  public static void setObserver(Observer observer) {
    sObserver = observer;
  }

  /** Dispatches messages until the queue quits or a handler throws. */
  public static void loop() {
    final Looper me = myLooper();
    if (me == null) {
      throw new RuntimeException("No Looper; Looper.prepare() wasn't called on this thread.");
    }
    if (me.mInLoop) {
      Log.w(
          TAG, "Loop again would have the queued messages be executed before this one completed.");
    }
    me.mInLoop = true;

    final long ident = Process.myPid(); // stands for Binder's calling identity
    final int thresholdOverride = 0; // slow-message logging is left out
    while (loopOnce(me, ident, thresholdOverride)) {
    }
  }

  /** Dispatches one message; false when the queue has quit. */
  private static boolean loopOnce(Looper me, long ident, int thresholdOverride) {
    final Message msg = me.mQueue.next();
    if (msg == null) {
      return false;
    }

    // Both are read once, so that a handler which replaces them sees no unpaired call.
    final Printer logging = me.mLogging;
    if (logging != null) {
      logging.println(">>>>> Dispatching to " + msg.target + " " + msg.callback + ": " + msg.what);
    }
    final Observer observer = sObserver;

    Object token = null;
    if (observer != null) {
      token = observer.messageDispatchStarting();
    }
    try {
      msg.target.dispatchMessage(msg);
      if (observer != null) {
        observer.messageDispatched(token, msg);
      }
    } catch (Exception exception) {
      if (observer != null) {
        observer.dispatchingThrewException(token, msg, exception);
      }
      throw exception;
    }

    if (logging != null) {
      logging.println("<<<<< Finished to " + msg.target + " " + msg.callback);
    }
    msg.recycleUnchecked();
    return true;
  }

  public boolean isCurrentThread() {
    return Thread.currentThread() == mThread;
  }

  public Thread getThread() {
    return mThread;
  }

  public MessageQueue getQueue() {
    return mQueue;
  }

  /** Has each dispatch print a line before and a line after it; null for none. */
  public void setMessageLogging(Printer printer) {
    mLogging = printer;
  }

  /** Ends the loop and drops every message that waits. */
  public void quit() {
    mQueue.quit(false);
  }

  /** Ends the loop after the messages that are already due. */
  public void quitSafely() {
    mQueue.quit(true);
  }

  /** Prints the looper and its waiting messages, each line with {@code prefix}. */
  public void dump(Printer pw, String prefix) {
    dump(pw, prefix, null);
  }

  /**
   * As {@link #dump(Printer, String)}, with the messages of one handler only.
   *
   * @hide
   */
  public void dump(Printer pw, String prefix, Handler handler) {
    pw.println(prefix + this);
    mQueue.dump(pw, prefix + "  ", handler);
  }

  @Override
  public String toString() {
    return "Looper (" + mThread.getName() + ", tid " + mThread.getId() + ") {"
        + Integer.toHexString(System.identityHashCode(this)) + "}";
  }

  /**
   * Told about each dispatch of every looper of the process (AOSP 10 and later).
   *
   * @hide
   */
  public interface Observer {
    /** Called before a dispatch; the result comes back at its end. */
    Object messageDispatchStarting();

    /** Called after a handler returned. */
    void messageDispatched(Object token, Message msg);

    /** Called when a handler threw; the loop rethrows the exception. */
    void dispatchingThrewException(Object token, Message msg, Exception exception);
  }
}
