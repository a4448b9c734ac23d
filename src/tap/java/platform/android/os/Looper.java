// SPDX-License-Identifier: Apache-2.0
// The platform's, by name and signature only.
package android.os;

/** Platform class, for the compiler only. */
public final class Looper {
  /** AOSP 10-14, core/java/android/os/Looper.java; hidden. */
  public interface Observer {
    Object messageDispatchStarting();

    void messageDispatched(Object token, Message message);

    void dispatchingThrewException(Object token, Message message, Exception exception);
  }
}
