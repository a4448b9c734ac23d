// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import java.util.ArrayList;
import java.util.List;

/** A handler that keeps the codes of its messages in their order. */
class Recorder extends Handler {
  final List<Integer> seen = new ArrayList<>();

  Recorder() {}

  Recorder(Looper looper) {
    super(looper);
  }

  @Override
  public void handleMessage(Message msg) {
    seen.add(msg.what);
  }

  /** Gives the thread a looper whose only handler this is. */
  static Recorder onNewLooper() {
    Looper.prepare();
    return new Recorder();
  }

  /** Dispatches what is due and ends the loop. */
  void drain() {
    getLooper().quitSafely();
    Looper.loop();
  }

  /** Dispatches everything until {@code delayMs} from now and ends the loop. */
  void loopFor(long delayMs) {
    postDelayed(() -> getLooper().quit(), delayMs);
    Looper.loop();
  }
}
