// SPDX-License-Identifier: Apache-2.0
package android.os;

/** Identity and priority of the process and its threads, as the kernel knows them. */
public class Process {
  public static final int THREAD_PRIORITY_DEFAULT = 0;
  public static final int THREAD_PRIORITY_LOWEST = 19;
  public static final int THREAD_PRIORITY_BACKGROUND = 10;
  public static final int THREAD_PRIORITY_FOREGROUND = -2;
  public static final int THREAD_PRIORITY_DISPLAY = -4;
  public static final int THREAD_PRIORITY_URGENT_DISPLAY = -8;
  public static final int THREAD_PRIORITY_AUDIO = -16;
  public static final int THREAD_PRIORITY_URGENT_AUDIO = -19;

  public static native int myPid();

  public static native int myTid();

  public static native int myUid();

  /** Sets the calling thread's nice value. */
  public static void setThreadPriority(int priority) {
    setThreadPriority(myTid(), priority);
  }

  /**
   * Sets a thread's nice value.
   *
   * @throws IllegalArgumentException when there is no such thread
   * @throws SecurityException when the kernel refuses
   */
  public static native void setThreadPriority(int tid, int priority);

  /**
   * A thread's nice value.
   *
   * @throws IllegalArgumentException when there is no such thread
   */
  public static native int getThreadPriority(int tid);
}
