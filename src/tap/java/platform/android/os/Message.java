// SPDX-License-Identifier: Apache-2.0
// The platform's, by name and signature only.
package android.os;

/** Platform class, for the compiler only. */
public final class Message {
  public int what;

  public static native Message obtain(Handler target);

  public native Handler getTarget();

  public native Runnable getCallback();

  public native long getWhen();

  public native void setAsynchronous(boolean is);
}
