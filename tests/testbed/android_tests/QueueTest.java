// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The order and time of messages, and taking them back. */
public final class QueueTest {
  private static final long PROMPT_MS = 5000; // a busy machine is slow, a lost wake-up is for ever

  private QueueTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("messages run in the order of their time", QueueTest::ordersByTime)
        .add("messages of one time run in the order of sending", QueueTest::keepsOrderOfSending)
        .add("the front of the queue is before everything", QueueTest::frontComesFirst)
        .add("a delayed message waits its time", QueueTest::delayedWaits)
        .add("another thread's message wakes the loop", QueueTest::wakesFromAnotherThread)
        .add("a due message overtakes one the loop waits for", QueueTest::dueOvertakes)
        .add("a waiting loop uses no CPU", QueueTest::waitingUsesNoCpu)
        .add("messages are removed by code and object", QueueTest::removesByCodeAndObject)
        .add("callbacks are removed by callback and token", QueueTest::removesCallbacks)
        .add("one handler's removal spares another's", QueueTest::removalSparesOthers)
        .add("quit drops everything", QueueTest::quitDropsEverything)
        .add("quitSafely keeps what is due", QueueTest::quitSafelyKeepsDue)
        .add("quit ends a loop that waits", QueueTest::quitEndsWaitingLoop)
        .add("a queue that has quit takes nothing", QueueTest::deadQueueRefuses)
        .add("a message cannot be sent twice", QueueTest::refusesMessageInUse)
        .end();
  }

  private static void ordersByTime() {
    final Recorder recorder = Recorder.onNewLooper();
    final long now = SystemClock.uptimeMillis();
    recorder.sendEmptyMessageAtTime(3, now - 1);
    recorder.sendEmptyMessageAtTime(1, now - 20);
    recorder.sendEmptyMessageAtTime(4, now);
    recorder.sendEmptyMessageAtTime(2, now - 10);
    recorder.drain();
    Check.equal(Arrays.asList(1, 2, 3, 4), recorder.seen);
  }

  private static void keepsOrderOfSending() {
    final Recorder recorder = Recorder.onNewLooper();
    final long now = SystemClock.uptimeMillis();
    final List<Integer> sent = new ArrayList<>();
    for (int what = 0; what < 100; what++) {
      recorder.sendEmptyMessageAtTime(what, now);
      sent.add(what);
    }
    recorder.drain();
    Check.equal(sent, recorder.seen);
  }

  private static void frontComesFirst() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.sendEmptyMessageAtTime(3, 1);
    recorder.sendMessageAtFrontOfQueue(recorder.obtainMessage(2));
    recorder.sendMessageAtFrontOfQueue(recorder.obtainMessage(1));
    recorder.drain();
    Check.equal(Arrays.asList(1, 2, 3), recorder.seen);
  }

  private static void delayedWaits() {
    final Recorder recorder = Recorder.onNewLooper();
    final long[] ranAt = new long[1];
    final long start = SystemClock.uptimeMillis();
    recorder.postDelayed(() -> ranAt[0] = SystemClock.uptimeMillis(), 80);
    recorder.loopFor(100);
    Check.between(80, 80 + PROMPT_MS, ranAt[0] - start, "delay in ms");
  }

  private static void wakesFromAnotherThread() throws InterruptedException {
    final HandlerThread thread = startIdleThread();
    final long start = SystemClock.uptimeMillis();
    final CountDownLatch ran = new CountDownLatch(1);
    new Handler(thread.getLooper()).post(ran::countDown);
    Check.that(ran.await(PROMPT_MS, TimeUnit.MILLISECONDS), "not dispatched in time");
    Check.between(0, PROMPT_MS, SystemClock.uptimeMillis() - start, "latency in ms");
    thread.quit();
  }

  private static void dueOvertakes() throws InterruptedException {
    final HandlerThread thread = startIdleThread();
    final Recorder recorder = new Recorder(thread.getLooper());
    recorder.sendEmptyMessageDelayed(1, 60_000);
    awaitPolling(thread);
    final CountDownLatch ran = new CountDownLatch(1);
    recorder.post(ran::countDown);
    Check.that(ran.await(PROMPT_MS, TimeUnit.MILLISECONDS), "not dispatched in time");
    Check.equal(Collections.emptyList(), recorder.seen);
    thread.quit();
  }

  private static void waitingUsesNoCpu() throws InterruptedException {
    final HandlerThread thread = startIdleThread();
    final long before = cpuTimeOf(thread);
    awaitPolling(thread);
    SystemClock.sleep(500);
    Check.that(thread.getLooper().getQueue().isPolling(), "the loop does not poll");
    Check.between(0, 20, cpuTimeOf(thread) - before, "CPU time of 500 ms in ms");
    thread.quit();
  }

  private static void removesByCodeAndObject() {
    final Recorder recorder = Recorder.onNewLooper();
    final Object token = new Object();
    recorder.sendEmptyMessage(1);
    recorder.sendMessage(recorder.obtainMessage(2, token));
    recorder.sendMessage(recorder.obtainMessage(2, new Object()));
    recorder.sendEmptyMessage(3);
    recorder.sendMessage(recorder.obtainMessage(4, token));
    recorder.sendEmptyMessage(1);

    Check.that(recorder.hasMessages(2, token), "has no message 2 of the token");
    recorder.removeMessages(2, token);
    Check.that(!recorder.hasMessages(2, token), "still has message 2 of the token");
    Check.that(recorder.hasMessages(2), "lost the other message 2");
    recorder.removeMessages(1);
    recorder.removeCallbacksAndMessages(token);
    recorder.drain();
    Check.equal(Arrays.asList(2, 3), recorder.seen);
  }

  private static void removesCallbacks() {
    final Recorder recorder = Recorder.onNewLooper();
    final List<String> ran = new ArrayList<>();
    final Runnable one = () -> ran.add("one");
    final Runnable two = () -> ran.add("two");
    final Object token = new Object();
    recorder.post(one);
    recorder.post(two);
    recorder.post(one);
    recorder.postDelayed(two, token, 0);

    Check.that(recorder.hasCallbacks(one), "has no callback one");
    recorder.removeCallbacks(one);
    Check.that(!recorder.hasCallbacks(one), "still has callback one");
    recorder.removeCallbacks(two, token);
    recorder.drain();
    Check.equal(Collections.singletonList("two"), ran);
  }

  private static void removalSparesOthers() {
    final Recorder recorder = Recorder.onNewLooper();
    final Recorder other = new Recorder();
    recorder.sendEmptyMessage(1);
    other.sendEmptyMessage(1);
    recorder.removeCallbacksAndMessages(null);
    Check.that(!recorder.hasMessagesOrCallbacks(), "own message is left");
    recorder.drain();
    Check.equal(Collections.emptyList(), recorder.seen);
    Check.equal(Collections.singletonList(1), other.seen);
  }

  private static void quitDropsEverything() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.sendEmptyMessage(1);
    recorder.sendEmptyMessageDelayed(2, 10);
    recorder.getLooper().quit();
    Looper.loop();
    Check.equal(Collections.emptyList(), recorder.seen);
  }

  private static void quitSafelyKeepsDue() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.sendEmptyMessage(1);
    recorder.sendEmptyMessageDelayed(3, 60_000);
    recorder.sendEmptyMessage(2);
    recorder.getLooper().quitSafely();
    Looper.loop();
    Check.equal(Arrays.asList(1, 2), recorder.seen);
  }

  private static void quitEndsWaitingLoop() throws InterruptedException {
    final HandlerThread thread = startIdleThread();
    thread.quit();
    thread.join(PROMPT_MS);
    Check.that(!thread.isAlive(), "the loop still runs");
  }

  private static void deadQueueRefuses() {
    final Recorder recorder = Recorder.onNewLooper();
    recorder.drain();
    Check.that(!recorder.sendEmptyMessage(1), "a dead queue took a message");
    Looper.loop(); // returns at once
    Check.equal(Collections.emptyList(), recorder.seen);
  }

  private static void refusesMessageInUse() {
    final Recorder recorder = Recorder.onNewLooper();
    final Message message = recorder.obtainMessage(1);
    recorder.sendMessage(message);
    Check.thrown(IllegalStateException.class, () -> recorder.sendMessage(message));
    recorder.drain();
    Check.equal(Collections.singletonList(1), recorder.seen);
  }

  private static HandlerThread startIdleThread() {
    final HandlerThread thread = new HandlerThread("idle");
    thread.setDaemon(true);
    thread.start();
    awaitPolling(thread);
    return thread;
  }

  static void awaitPolling(HandlerThread thread) {
    final long giveUp = SystemClock.uptimeMillis() + 10_000;
    while (!thread.getLooper().getQueue().isPolling()) {
      Check.that(SystemClock.uptimeMillis() < giveUp, "the loop never polls");
      SystemClock.sleep(1);
    }
  }

  private static long cpuTimeOf(HandlerThread thread) throws InterruptedException {
    final long[] cpuMs = new long[1];
    final CountDownLatch read = new CountDownLatch(1);
    new Handler(thread.getLooper()).post(() -> {
      cpuMs[0] = SystemClock.currentThreadTimeMillis();
      read.countDown();
    });
    Check.that(read.await(10, TimeUnit.SECONDS), "the thread does not answer");
    return cpuMs[0];
  }
}
