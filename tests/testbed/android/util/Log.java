// SPDX-License-Identifier: Apache-2.0
package android.util;

/** The system log; here each line goes to standard error as {@code I/tag: text}. */
public final class Log {
  public static final int VERBOSE = 2;
  public static final int DEBUG = 3;
  public static final int INFO = 4;
  public static final int WARN = 5;
  public static final int ERROR = 6;
  public static final int ASSERT = 7;

  private static final int LOG_ID_MAIN = 0;

  private Log() {}

  /** Writes each line of {@code msg}; returns the bytes written. */
  private static native int println_native(int bufID, int priority, String tag, String msg);

  public static int println(int priority, String tag, String msg) {
    return println_native(LOG_ID_MAIN, priority, tag, msg);
  }

  private static int println(int priority, String tag, String msg, Throwable tr) {
    return println(priority, tag, msg + '\n' + getStackTraceString(tr));
  }

  public static int v(String tag, String msg) {
    return println(VERBOSE, tag, msg);
  }

  public static int v(String tag, String msg, Throwable tr) {
    return println(VERBOSE, tag, msg, tr);
  }

  public static int d(String tag, String msg) {
    return println(DEBUG, tag, msg);
  }

  public static int d(String tag, String msg, Throwable tr) {
    return println(DEBUG, tag, msg, tr);
  }

  public static int i(String tag, String msg) {
    return println(INFO, tag, msg);
  }

  public static int i(String tag, String msg, Throwable tr) {
    return println(INFO, tag, msg, tr);
  }

  public static int w(String tag, String msg) {
    return println(WARN, tag, msg);
  }

  public static int w(String tag, String msg, Throwable tr) {
    return println(WARN, tag, msg, tr);
  }

  public static int e(String tag, String msg) {
    return println(ERROR, tag, msg);
  }

  public static int e(String tag, String msg, Throwable tr) {
    return println(ERROR, tag, msg, tr);
  }

  /** Reports what must never happen. */
  public static int wtf(String tag, String msg) {
    return println(ASSERT, tag, msg);
  }

  /** Reports what must never happen. */
  public static int wtf(String tag, String msg, Throwable tr) {
    return println(ASSERT, tag, msg, tr);
  }

  /** The throwable with its frames and causes, one a line; empty for null. */
  public static String getStackTraceString(Throwable tr) {
    final StringBuilder b = new StringBuilder();
    for (Throwable t = tr; t != null; t = t.getCause()) {
      b.append(t == tr ? "" : "Caused by: ").append(t).append('\n');
      for (StackTraceElement frame : t.getStackTrace()) {
        b.append("\tat ").append(frame).append('\n');
      }
    }
    return b.toString();
  }
}
