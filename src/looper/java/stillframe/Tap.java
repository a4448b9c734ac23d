package stillframe;

import android.os.Handler;
import android.os.Message;
import dalvik.annotation.optimization.CriticalNative;

/** The natives that both taps share. A recorder is the address of the native recorder of one looper. */
final class Tap {
  private Tap() {}

  /** A message begins on this thread. Ignored on threads the recorder does not watch. */
  @CriticalNative
  static native void begin(long recorder);

  /** The message ended. True when it was slow, so that its identity is wanted. */
  @CriticalNative
  static native boolean end(long recorder);

  /** Who the message that just ended was; called only for slow ones. A null target or callback is none. */
  static native void describe(
      long recorder, String target, String callback, int what, long whenMs, boolean threw);

  /** As describe, from the text that Looper gives its Printer. */
  static native void describeText(long recorder, String dispatching);

  static void describe(long recorder, Message message, boolean threw) {
    Handler target = message.getTarget();
    Runnable callback = message.getCallback();
    describe(
        recorder,
        target == null ? null : target.getClass().getName(),
        callback == null ? null : callback.getClass().getName(),
        message.what,
        message.getWhen(),
        threw);
  }
}
