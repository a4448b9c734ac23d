// SPDX-License-Identifier: Apache-2.0
// The platform's, by name and signature only.
package android.os;

/** Platform class, for the compiler only. */
public class Handler {
  public Handler(Looper looper) {}

  public void handleMessage(Message message) {}

  public final native boolean sendMessageAtFrontOfQueue(Message message);
}
