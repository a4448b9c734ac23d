// SPDX-License-Identifier: Apache-2.0
// The observer in Looper.sObserver.
package stillframe;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;

/**
 * The tap for API 29 and later. Looper calls it for each Looper of the process. Forwards each call while the runtime
 * allows it: Observer's methods are hidden from an application's classes (ART 14, ClassLinker::ResolveMethod). A
 * rejected call throws a LinkageError, here inside Looper.loop.
 */
final class ObserverTap implements Looper.Observer {
  private final int number;
  private Looper.Observer next;

  /** A null `next`: none. */
  ObserverTap(int number, Looper.Observer next) {
    this.number = number;
    this.next = next;
  }

  @Override
  public Object messageDispatchStarting() {
    Object token = null;
    if (next != null) {
      try {
        token = next.messageDispatchStarting();
      } catch (LinkageError refused) {
        next = null;
      }
    }
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
    Looper.Observer forwardee = next;
    if (forwardee != null) {
      forwardee.messageDispatched(token, message);
    }
  }

  @Override
  public void dispatchingThrewException(Object token, Message message, Exception exception) {
    int ended = Tap.end(number);
    if (ended != 0) {
      Tap.ended(ended, message, true);
    }
    Looper.Observer forwardee = next;
    if (forwardee != null) {
      forwardee.dispatchingThrewException(token, message, exception);
    }
  }
}
