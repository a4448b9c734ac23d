// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Barriers hold synchronous messages back and let asynchronous ones through. */
public final class BarrierTest {
  private static final long PROMPT_MS = 5000;

  private BarrierTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("only asynchronous messages pass a barrier", BarrierTest::asynchronousPass)
        .add("messages before the barrier pass", BarrierTest::earlierPass)
        .add("an asynchronous message can be made of any", BarrierTest::messageCanBeAsynchronous)
        .add("of two barriers both hold", BarrierTest::bothBarriersHold)
        .add("a stalled loop wakes for an asynchronous message", BarrierTest::asynchronousWakes)
        .add("taking the barrier away wakes the loop", BarrierTest::removalWakes)
        .add("a barrier cannot be removed twice", BarrierTest::removalNeedsBarrier)
        .end();
  }

  private static void asynchronousPass() {
    final List<String> ran = new ArrayList<>();
    Looper.prepare();
    final MessageQueue queue = Looper.myQueue();
    final Handler handler = new Handler();
    final Handler async = Handler.createAsync(Looper.myLooper());
    final int token = queue.postSyncBarrier();
    handler.post(() -> ran.add("held 1"));
    async.post(() -> ran.add("through"));
    handler.post(() -> ran.add("held 2"));
    async.postDelayed(() -> {
      ran.add("removed");
      queue.removeSyncBarrier(token);
      Looper.myLooper().quitSafely();
    }, 50);
    Looper.loop();
    Check.equal(Arrays.asList("through", "removed", "held 1", "held 2"), ran);
  }

  private static void earlierPass() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.sendEmptyMessageAtTime(1, SystemClock.uptimeMillis() - 1);
    final int token = Looper.myQueue().postSyncBarrier();
    recorder.sendEmptyMessage(2);
    Handler.createAsync(Looper.myLooper()).postDelayed(() -> Looper.myLooper().quit(), 50);
    Looper.loop();
    Check.equal(Collections.singletonList(1), recorder.seen);
    Check.equal(0, token);
  }

  private static void messageCanBeAsynchronous() {
    final Recorder recorder = Recorder.onNewLooper();
    Looper.myQueue().postSyncBarrier();
    recorder.sendEmptyMessage(1);
    final Message async = recorder.obtainMessage(2);
    async.setAsynchronous(true);
    Check.that(async.isAsynchronous(), "the flag is not set");
    recorder.sendMessage(async);
    Handler.createAsync(Looper.myLooper()).postDelayed(() -> Looper.myLooper().quit(), 50);
    Looper.loop();
    Check.equal(Collections.singletonList(2), recorder.seen);
  }

  private static void bothBarriersHold() {
    final Recorder recorder = Recorder.onNewLooper();
    final MessageQueue queue = Looper.myQueue();
    final Handler async = Handler.createAsync(Looper.myLooper());
    final int first = queue.postSyncBarrier();
    recorder.sendEmptyMessage(1);
    final int second = queue.postSyncBarrier();
    recorder.sendEmptyMessage(2);
    Check.that(first != second, "two barriers of one token");
    async.postDelayed(() -> queue.removeSyncBarrier(first), 20);
    async.postDelayed(() -> Looper.myLooper().quit(), 80);
    Looper.loop();
    Check.equal(Collections.singletonList(1), recorder.seen);
  }

  private static void asynchronousWakes() throws InterruptedException {
    final HandlerThread thread = startStalledThread();
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch ran = new CountDownLatch(1);
    new Handler(thread.getLooper()).post(held::countDown);
    Handler.createAsync(thread.getLooper()).post(ran::countDown);
    Check.that(ran.await(PROMPT_MS, TimeUnit.MILLISECONDS), "the loop did not wake");
    Check.equal(1L, held.getCount());
    thread.quit();
  }

  private static void removalWakes() throws InterruptedException {
    final HandlerThread thread = new HandlerThread("stalled");
    thread.setDaemon(true);
    thread.start();
    final MessageQueue queue = thread.getLooper().getQueue();
    final int token = queue.postSyncBarrier();
    final CountDownLatch ran = new CountDownLatch(1);
    new Handler(thread.getLooper()).post(ran::countDown);
    Check.that(!ran.await(50, TimeUnit.MILLISECONDS), "the barrier did not hold");
    QueueTest.awaitPolling(thread);
    queue.removeSyncBarrier(token);
    Check.that(ran.await(PROMPT_MS, TimeUnit.MILLISECONDS), "the loop did not wake");
    thread.quit();
  }

  private static void removalNeedsBarrier() {
    Looper.prepare();
    final MessageQueue queue = Looper.myQueue();
    final int token = queue.postSyncBarrier();
    queue.removeSyncBarrier(token);
    Check.thrown(IllegalStateException.class, () -> queue.removeSyncBarrier(token));
  }

  private static HandlerThread startStalledThread() {
    final HandlerThread thread = new HandlerThread("stalled");
    thread.setDaemon(true);
    thread.start();
    thread.getLooper().getQueue().postSyncBarrier();
    QueueTest.awaitPolling(thread);
    return thread;
  }
}
