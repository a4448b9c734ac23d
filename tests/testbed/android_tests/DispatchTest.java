// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tests which methods a loop calls around a dispatch, and in which order. */
public final class DispatchTest {
  private DispatchTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("printer and observer are called around the handler", DispatchTest::callOrder)
        .add("a handler that throws is reported and leaves the loop", DispatchTest::exceptionPath)
        .add("an error is not reported to the observer", DispatchTest::errorPath)
        .add("an observer set in a message waits for the next", DispatchTest::observerIsReadOnce)
        .add("a printer set in a message waits for the next", DispatchTest::printerIsReadOnce)
        .add("a callback comes before the handler", DispatchTest::callbackFirst)
        .add("a handler's callback may keep a message", DispatchTest::handlerCallbackMayKeep)
        .add("a loop may be entered again after an exception", DispatchTest::loopsAgain)
        .end();
  }

  /** Writes down every call of an observer. */
  private static final class EventObserver implements Looper.Observer {
    private final String name;
    private final List<String> events;

    EventObserver(String name, List<String> events) {
      this.name = name;
      this.events = events;
    }

    @Override
    public Object messageDispatchStarting() {
      events.add(name + " starting");
      return this;
    }

    @Override
    public void messageDispatched(Object token, Message msg) {
      Check.that(token == this, "the token is not the one of the start");
      events.add(name + " dispatched " + msg.what);
    }

    @Override
    public void dispatchingThrewException(Object token, Message msg, Exception exception) {
      Check.that(token == this, "the token is not the one of the start");
      events.add(name + " threw " + msg.what + " " + exception.getMessage());
    }
  }

  private static Handler handlerThat(Check.Action action) {
    return new Handler(Looper.myLooper(), msg -> {
      try {
        action.run();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return true;
    });
  }

  private static void loopOnceWith(Looper.Observer observer) {
    Looper.setObserver(observer);
    try {
      Looper.myLooper().quitSafely();
      Looper.loop();
    } finally {
      Looper.setObserver(null);
    }
  }

  private static void callOrder() {
    final List<String> events = new ArrayList<>();
    Looper.prepare();
    Looper.myLooper().setMessageLogging(events::add);
    final Handler handler = handlerThat(() -> events.add("handled"));
    handler.sendEmptyMessage(7);
    loopOnceWith(new EventObserver("observer", events));
    Check.equal(Arrays.asList(">>>>> Dispatching to " + handler + " null: 7", "observer starting",
                    "handled", "observer dispatched 7", "<<<<< Finished to " + handler + " null"),
        events);
  }

  private static void exceptionPath() {
    final List<String> events = new ArrayList<>();
    Looper.prepare();
    Looper.myLooper().setMessageLogging(events::add);
    final RuntimeException boom = new IllegalStateException("boom");
    final Handler handler = handlerThat(() -> { throw boom; });
    final Message message = handler.obtainMessage(8);
    handler.sendMessage(message);
    final Throwable thrown = Check.thrown(
        IllegalStateException.class, () -> loopOnceWith(new EventObserver("observer", events)));
    Check.that(thrown == boom, "another exception left the loop");
    Check.equal(Arrays.asList(">>>>> Dispatching to " + handler + " null: 8", "observer starting",
                    "observer threw 8 boom"),
        events);
    Check.that(message.getTarget() == handler, "the message was recycled");
  }

  private static void errorPath() {
    final List<String> events = new ArrayList<>();
    Looper.prepare();
    handlerThat(() -> { throw new Error("fatal"); }).sendEmptyMessage(9);
    Check.thrown(Error.class, () -> loopOnceWith(new EventObserver("observer", events)));
    Check.equal(Arrays.asList("observer starting"), events);
  }

  private static void observerIsReadOnce() {
    final List<String> events = new ArrayList<>();
    Looper.prepare();
    final Looper.Observer second = new EventObserver("second", events);
    final Handler handler = handlerThat(() -> Looper.setObserver(second));
    handler.sendEmptyMessage(1);
    handler.sendEmptyMessage(2);
    loopOnceWith(new EventObserver("first", events));
    Check.equal(Arrays.asList("first starting", "first dispatched 1", "second starting",
                    "second dispatched 2"),
        events);
  }

  private static void printerIsReadOnce() {
    final List<String> events = new ArrayList<>();
    Looper.prepare();
    final Handler handler =
        handlerThat(() -> Looper.myLooper().setMessageLogging(line -> events.add(line)));
    handler.sendEmptyMessage(1);
    handler.sendEmptyMessage(2);
    loopOnceWith(null);
    Check.equal(Arrays.asList(">>>>> Dispatching to " + handler + " null: 2",
                    "<<<<< Finished to " + handler + " null"),
        events);
  }

  private static void callbackFirst() {
    final Recorder recorder = Recorder.onNewLooper();
    final List<String> events = new ArrayList<>();
    recorder.post(() -> events.add("callback"));
    recorder.drain();
    Check.equal(Arrays.asList("callback"), events);
    Check.equal(0, recorder.seen.size());
  }

  private static void handlerCallbackMayKeep() {
    Looper.prepare();
    final List<Integer> seen = new ArrayList<>();
    final Handler handler = new Handler(Looper.myLooper(), msg -> msg.what == 1) {
      @Override
      public void handleMessage(Message msg) {
        seen.add(msg.what);
      }
    };
    handler.sendEmptyMessage(1);
    handler.sendEmptyMessage(2);
    loopOnceWith(null);
    Check.equal(Arrays.asList(2), seen);
  }

  private static void loopsAgain() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.post(() -> { throw new IllegalStateException("out"); });
    recorder.sendEmptyMessage(1);
    Check.thrown(IllegalStateException.class, Looper::loop);
    recorder.drain();
    Check.equal(Arrays.asList(1), recorder.seen);
  }
}
