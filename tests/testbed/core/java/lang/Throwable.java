// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import libcore.util.EmptyArray;

/** Whatever can be thrown. ART lays it out in C++ too (runtime/mirror/throwable.h). */
public class Throwable implements java.io.Serializable {
  /** ART's own record of the stack; {@link #stackTrace} is made from it on demand. */
  private transient volatile Object backtrace;

  private Throwable cause = this;
  private String detailMessage;
  private StackTraceElement[] stackTrace = EmptyArray.STACK_TRACE_ELEMENT;
  private List<Throwable> suppressedExceptions = Collections.EMPTY_LIST;

  public Throwable() {
    fillInStackTrace();
  }

  public Throwable(String message) {
    detailMessage = message;
    fillInStackTrace();
  }

  public Throwable(String message, Throwable cause) {
    detailMessage = message;
    this.cause = cause;
    fillInStackTrace();
  }

  public Throwable(Throwable cause) {
    detailMessage = cause == null ? null : cause.toString();
    this.cause = cause;
    fillInStackTrace();
  }

  protected Throwable(String message, Throwable cause, boolean suppression, boolean writableStackTrace) {
    detailMessage = message;
    this.cause = cause;
    if (!suppression) {
      suppressedExceptions = null;
    }
    if (writableStackTrace) {
      fillInStackTrace();
    } else {
      stackTrace = null;
    }
  }

  public String getMessage() {
    return detailMessage;
  }

  public String getLocalizedMessage() {
    return getMessage();
  }

  /** The cause, or null; ART creates exceptions without running a constructor, so null may also be in the field. */
  public synchronized Throwable getCause() {
    return cause == this ? null : cause;
  }

  public synchronized Throwable initCause(Throwable newCause) {
    if (newCause == this) {
      throw new IllegalArgumentException("Self-causation not permitted", this);
    }
    cause = newCause;
    return this;
  }

  public final synchronized void addSuppressed(Throwable exception) {
    if (exception == this) {
      throw new IllegalArgumentException("Self-suppression not permitted", exception);
    }
    if (exception == null) {
      throw new NullPointerException("Cannot suppress a null exception.");
    }
    if (suppressedExceptions == null) {
      return;
    }
    if (suppressedExceptions.isEmpty()) {
      suppressedExceptions = new ArrayList<>();
    }
    suppressedExceptions.add(exception);
  }

  public final synchronized Throwable[] getSuppressed() {
    if (suppressedExceptions == null) {
      return new Throwable[0];
    }
    return suppressedExceptions.toArray(new Throwable[suppressedExceptions.size()]);
  }

  public synchronized Throwable fillInStackTrace() {
    if (stackTrace != null || backtrace != null) {
      backtrace = nativeFillInStackTrace();
      stackTrace = EmptyArray.STACK_TRACE_ELEMENT;
    }
    return this;
  }

  public StackTraceElement[] getStackTrace() {
    return ourStackTrace().clone();
  }

  public void setStackTrace(StackTraceElement[] elements) {
    StackTraceElement[] copy = elements.clone();
    synchronized (this) {
      if (stackTrace != null || backtrace != null) {
        backtrace = null;
        stackTrace = copy;
      }
    }
  }

  private synchronized StackTraceElement[] ourStackTrace() {
    if (backtrace != null) {
      stackTrace = nativeGetStackTrace(backtrace);
      backtrace = null;
    }
    return stackTrace == null ? EmptyArray.STACK_TRACE_ELEMENT : stackTrace;
  }

  public void printStackTrace() {
    printStackTrace(System.err);
  }

  /** Prints the stack, the suppressed exceptions and the causes as one text. */
  public void printStackTrace(PrintStream stream) {
    StringBuilder text = new StringBuilder();
    describe(text, "", "", EmptyArray.STACK_TRACE_ELEMENT);
    stream.print(text.toString());
  }

  public void printStackTrace(java.io.PrintWriter writer) {
    StringBuilder text = new StringBuilder();
    describe(text, "", "", EmptyArray.STACK_TRACE_ELEMENT);
    writer.print(text.toString());
  }

  private void describe(StringBuilder text, String indent, String caption, StackTraceElement[] enclosing) {
    StackTraceElement[] own = ourStackTrace();
    int common = 0;
    while (common < own.length
        && common < enclosing.length
        && own[own.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
      common++;
    }
    text.append(indent).append(caption).append(this).append('\n');
    for (int i = 0; i < own.length - common; i++) {
      text.append(indent).append("\tat ").append(own[i]).append('\n');
    }
    if (common > 0) {
      text.append(indent).append("\t... ").append(common).append(" more\n");
    }
    for (Throwable suppressed : getSuppressed()) {
      suppressed.describe(text, indent + "\t", "Suppressed: ", own);
    }
    Throwable reason = getCause();
    if (reason != null) {
      reason.describe(text, indent, "Caused by: ", own);
    }
  }

  @Override
  public String toString() {
    String message = getLocalizedMessage();
    String name = getClass().getName();
    return message == null ? name : name + ": " + message;
  }

  private static native Object nativeFillInStackTrace();

  private static native StackTraceElement[] nativeGetStackTrace(Object backtrace);
}
