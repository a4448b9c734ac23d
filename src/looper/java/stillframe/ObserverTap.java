package stillframe;

import android.os.Looper;
import android.os.Message;

/** The tap for API 29 and later. Looper calls it for every looper of the process. */
final class ObserverTap implements Looper.Observer {
  private final long recorder;

  ObserverTap(long recorder) {
    this.recorder = recorder;
  }

  @Override
  public Object messageDispatchStarting() {
    Tap.begin(recorder);
    return null;
  }

  @Override
  public void messageDispatched(Object token, Message message) {
    if (Tap.end(recorder)) {
      Tap.describe(recorder, message, false);
    }
  }

  @Override
  public void dispatchingThrewException(Object token, Message message, Exception exception) {
    if (Tap.end(recorder)) {
      Tap.describe(recorder, message, true);
    }
  }
}
