// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import android.util.Printer;
import android.util.TimeUtils;
import java.util.ArrayList;
import java.util.List;

/** Messages: what they carry, their pool, and how they print. */
public final class MessageTest {
  private static final int POOL_SIZE = 50;

  private MessageTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("a recycled message comes back empty", MessageTest::recycledComesBack)
        .add("a dispatched message is recycled", MessageTest::dispatchedIsRecycled)
        .add("the pool keeps 50", MessageTest::poolIsBounded)
        .add("a message in use cannot be recycled", MessageTest::inUseIsNotRecycled)
        .add("obtain fills in what it is given", MessageTest::obtainFillsIn)
        .add("messages print as on the platform", MessageTest::printsMessage)
        .add("a looper dumps its queue", MessageTest::dumpsQueue)
        .add("durations print as on the platform", MessageTest::printsDurations)
        .add("handlers print class and identity", MessageTest::printsHandler)
        .end();
  }

  private static void recycledComesBack() {
    Looper.prepare();
    final Message message = Message.obtain(new Handler(), 1, 2, 3, "four");
    message.recycle();
    final Message again = Message.obtain();
    Check.that(message == again, "another message came from the pool");
    Check.equal(0, again.what + again.arg1 + again.arg2);
    Check.equal(null, again.obj);
    Check.equal(null, again.getTarget());
    Check.equal(null, again.getCallback());
  }

  private static void dispatchedIsRecycled() {
    final Recorder recorder = Recorder.onNewLooper();
    final Message message = recorder.obtainMessage(5);
    recorder.sendMessage(message);
    recorder.drain();
    Check.equal(1, recorder.seen.size());
    Check.equal(null, message.getTarget());
    Check.that(Message.obtain() == message, "the message is not in the pool");
  }

  private static void poolIsBounded() {
    final List<Message> first = obtainMany(POOL_SIZE + 10);
    for (Message message : first) {
      message.recycle();
    }
    int reused = 0;
    for (Message message : obtainMany(POOL_SIZE + 10)) {
      for (Message old : first) {
        if (message == old) {
          reused++;
        }
      }
    }
    Check.equal(POOL_SIZE, reused);
  }

  private static List<Message> obtainMany(int count) {
    final List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(Message.obtain());
    }
    return messages;
  }

  private static void inUseIsNotRecycled() {
    final Recorder recorder = Recorder.onNewLooper();
    final Message message = recorder.obtainMessage(1);
    recorder.sendMessage(message);
    Check.thrown(IllegalStateException.class, message::recycle);
    recorder.drain();
    Check.thrown(IllegalStateException.class, message::recycle); // it is in the pool
  }

  private static void obtainFillsIn() {
    Looper.prepare();
    final Handler handler = new Handler();
    final Message message = handler.obtainMessage(1, 2, 3, "four");
    Check.equal(
        "1 2 3 four", message.what + " " + message.arg1 + " " + message.arg2 + " " + message.obj);
    Check.that(message.getTarget() == handler, "the target is another");
    final Message copy = Message.obtain(message);
    Check.equal("four", copy.obj);
    Check.that(copy.getTarget() == handler, "the copy's target is another");
    final Runnable callback = () -> {};
    Check.that(Message.obtain(handler, callback).getCallback() == callback, "no callback");
  }

  private static void printsMessage() {
    final Recorder recorder = Recorder.onNewLooper();
    final Message message = recorder.obtainMessage(6, 7, 0, "eight");
    final long due = SystemClock.uptimeMillis() + 3_600_000;
    recorder.sendMessageAtTime(message, due);
    Check.equal(due, message.getWhen());
    final String text = message.toString();
    Check.that(text.startsWith("{ when=+59m59s") || text.startsWith("{ when=+1h0m0s"), text);
    Check.that(text.endsWith("ms what=6 arg1=7 obj=eight target=android_tests.Recorder }"), text);
    recorder.getLooper().quit();
  }

  private static void dumpsQueue() {
    final Recorder recorder = Recorder.onNewLooper();
    final List<String> lines = new ArrayList<>();
    final Printer printer = lines::add;
    recorder.sendMessageAtFrontOfQueue(recorder.obtainMessage(1));
    Looper.myQueue().postSyncBarrier();
    recorder.getLooper().dump(printer, "> ");
    Check.equal(4, lines.size());
    Check.equal("> " + recorder.getLooper(), lines.get(0));
    Check.that(lines.get(0).startsWith("> Looper (case, tid "), lines.get(0));
    Check.that(lines.get(1).startsWith(">   Message 0: { when=-"), lines.get(1));
    Check.that(lines.get(1).endsWith(" what=1 target=android_tests.Recorder }"), lines.get(1));
    Check.that(lines.get(2).startsWith(">   Message 1: { when="), lines.get(2));
    Check.that(lines.get(2).endsWith(" barrier=0 }"), lines.get(2));
    Check.equal(">   (Total messages: 2, polling=false, quitting=false)", lines.get(3));
    recorder.getLooper().quit();
  }

  private static void printsDurations() {
    Check.equal("0", duration(0));
    Check.equal("+1ms", duration(1));
    Check.equal("-1s234ms", duration(-1234));
    Check.equal("+1m0s5ms", duration(60_005));
    Check.equal("+2d3h0m0s0ms", duration(51L * 3_600_000));
  }

  private static String duration(long ms) {
    final StringBuilder text = new StringBuilder();
    TimeUtils.formatDuration(ms, text);
    return text.toString();
  }

  private static void printsHandler() {
    final Recorder recorder = Recorder.onNewLooper();
    Check.equal("Handler (android_tests.Recorder) {"
            + Integer.toHexString(System.identityHashCode(recorder)) + "}",
        recorder.toString());
  }
}
