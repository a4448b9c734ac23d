// SPDX-License-Identifier: Apache-2.0
// The platform's, by name and signature only.
package android.os;

import android.util.Printer;

/** Platform class, for the compiler only. */
public final class Looper {
  public static native Looper getMainLooper();

  public native void setMessageLogging(Printer printer);

  /** AOSP 10-14, core/java/android/os/Looper.java; hidden. */
  public interface Observer {
    Object messageDispatchStarting();

    void messageDispatched(Object token, Message message);

    void dispatchingThrewException(Object token, Message message, Exception exception);
  }
}
