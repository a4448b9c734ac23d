// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Looper;
import android.os.Message;

/** The cheapest possible observer with natives, as the baseline for the profiler's tap. */
final class EmptyObserver implements Looper.Observer {
  @Override
  public Object messageDispatchStarting() {
    Natives.emptyStarting();
    return null;
  }

  @Override
  public void messageDispatched(Object token, Message message) {
    Natives.emptyDispatched();
  }

  @Override
  public void dispatchingThrewException(Object token, Message message, Exception exception) {
    Natives.emptyDispatched();
  }
}
