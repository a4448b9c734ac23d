// SPDX-License-Identifier: Apache-2.0
// The observer that stands in Looper.sObserver.
package stillframe;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;

/** The tap for API 29 and later. Looper calls it for every looper of the process. Passes each call on. */
final class ObserverTap implements Looper.Observer {
  private final int number;
  private final Looper.Observer next;

  /** A null next is none. */
  ObserverTap(int number, Looper.Observer next) {
    this.number = number;
    this.next = next;
  }

  @Override
  public Object messageDispatchStarting() {
    Object token = next == null ? null : next.messageDispatchStarting();
    Tap.begin(number);
    return token;
  }

  @Override
  public void messageDispatched(Object token, Message message) {
    int ended = Tap.end(number);
    if ((ended & Tap.IDENTIFY) != 0) {
      Tap.ended(ended, message, false);
    } else if (ended != 0) {
      Runnable callback = message.getCallback();
      if (callback != null && callback.getClass() == Tap.frameCallback) {
        Tap.frame(message.getWhen());
      }
    }
    if (next != null) {
      next.messageDispatched(token, message);
    }
  }

  @Override
  public void dispatchingThrewException(Object token, Message message, Exception exception) {
    int ended = Tap.end(number);
    if (ended != 0) {
      Tap.ended(ended, message, true);
    }
    if (next != null) {
      next.dispatchingThrewException(token, message, exception);
    }
  }
}
