// SPDX-License-Identifier: Apache-2.0
// Natives of the taps, and their state on the Java side.
package stillframe;

import android.os.Handler;
import android.os.Message;
import dalvik.annotation.optimization.CriticalNative;

/** The natives that the taps share. */
final class Tap {
  /** Bits of the result of {@link #end}; the Looper's index is in the bits from INDEX_SHIFT on. */
  static final int DESCRIBE_RUN = 1 << 1;

  static final int DESCRIBE = 1 << 2;
  static final int IDENTIFY = 1 << 3;
  private static final int INDEX_SHIFT = 8;
  private static final int MOST_LOOPERS = 16;

  /** Identity of each Looper's last identified message. Classes, so that no object of the application is retained. */
  private static final Class<?>[] lastTarget = new Class<?>[MOST_LOOPERS];

  private static final Class<?>[] lastCallback = new Class<?>[MOST_LOOPERS];
  private static final int[] lastWhat = new int[MOST_LOOPERS];

  /** Callback class of the Choreographer's frames; null: none. Set by native code. */
  static Class<?> frameCallback;

  private Tap() {}

  /** A message begins on this thread. Ignored on threads that are not watched. */
  @CriticalNative
  static native void begin(int tap);

  /** The message ended. 0: nothing more to do. */
  @CriticalNative
  static native int end(int tap);

  /** Identity of the last quick message before this one. A null target or callback: none. */
  static native void describeRun(String target, String callback, int what);

  /** Identity of the message that just ended; called only for those with an entry of their own. */
  static native void describe(
      String target, String callback, int what, long whenMs, boolean threw);

  /** Like describe or describeRun, from the text that Looper gives its Printer. */
  static native void describeText(String dispatching, boolean isRun);

  /** The message that just ended was a frame. A time of 0: unknown. */
  @CriticalNative
  static native void frame(long whenMs);

  static void ended(int ended, Message message, boolean threw) {
    Handler handler = message.getTarget();
    Runnable runnable = message.getCallback();
    Class<?> target = handler == null ? null : handler.getClass();
    Class<?> callback = runnable == null ? null : runnable.getClass();
    int place = ended >>> INDEX_SHIFT;
    if ((ended & (DESCRIBE_RUN | DESCRIBE)) != 0) {
      if ((ended & DESCRIBE_RUN) != 0) {
        describeRun(name(lastTarget[place]), name(lastCallback[place]), lastWhat[place]);
      }
      if ((ended & DESCRIBE) != 0) {
        describe(
            name(target), name(callback), message.what, message.getWhen(), threw);
      }
    }
    lastTarget[place] = target;
    lastCallback[place] = callback;
    lastWhat[place] = message.what;
    if (callback != null && callback == frameCallback) {
      frame(message.getWhen());
    }
  }

  private static String name(Class<?> type) {
    return type == null ? null : type.getName();
  }
}
