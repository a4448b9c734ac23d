// SPDX-License-Identifier: Apache-2.0
package android_tests;

import android.app.ActivityThread;
import android.app.ActivityThread.H;
import android.os.Build;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Process;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Loopers of threads, idle handlers, the main thread, and what the platform says of itself. */
public final class LooperTest {
  private LooperTest() {}

  public static void main(String[] args) {
    new TestRun()
        .add("a thread has one looper", LooperTest::oneLooperAThread)
        .add("a thread without a looper cannot loop", LooperTest::loopNeedsLooper)
        .add("a handler needs a looper", LooperTest::handlerNeedsLooper)
        .add("idle handlers run when nothing is due", LooperTest::idleHandlers)
        .add("idle handlers run once a wait", LooperTest::idleHandlersRunOnceAWait)
        .add("an idle handler that throws is dropped", LooperTest::idleHandlerThrows)
        .add("a handler thread prepares, loops and ends", LooperTest::handlerThread)
        .add("a handler thread takes its priority", LooperTest::handlerThreadPriority)
        .add("the main thread runs the system's messages", LooperTest::mainThread)
        .add("message codes have the names of Android 11", LooperTest::messageCodes)
        .add("clocks agree with each other", LooperTest::clocks)
        .add("a sleep lasts through an interrupt", LooperTest::sleepKeepsInterrupt)
        .add("the process knows its ids", LooperTest::processIds)
        .add("the build names its release", LooperTest::build)
        .end();
  }

  private static void oneLooperAThread() {
    Check.equal(null, Looper.myLooper());
    Looper.prepare();
    Check.that(Looper.myLooper().isCurrentThread(), "the looper is another thread's");
    Check.that(Looper.myLooper().getThread() == Thread.currentThread(), "getThread");
    Check.that(Looper.myQueue() == Looper.myLooper().getQueue(), "getQueue");
    Check.thrown(RuntimeException.class, Looper::prepare);
  }

  private static void loopNeedsLooper() {
    Check.thrown(RuntimeException.class, Looper::loop);
  }

  private static void handlerNeedsLooper() {
    Check.thrown(RuntimeException.class, Handler::new);
  }

  private static void idleHandlers() {
    final Recorder recorder = Recorder.onNewLooper();
    final List<String> ran = new ArrayList<>();
    Looper.myQueue().addIdleHandler(() -> {
      ran.add("once");
      return false;
    });
    Looper.myQueue().addIdleHandler(() -> {
      ran.add("kept");
      if (ran.contains("second")) {
        recorder.getLooper().quit();
      }
      recorder.post(() -> ran.add("second"));
      return true;
    });
    recorder.post(() -> ran.add("first"));
    recorder.sendEmptyMessageDelayed(1, 60_000); // waits, so it does not keep the loop from idling
    Looper.loop();
    Check.equal(Arrays.asList("first", "once", "kept", "second", "kept"), ran);
  }

  private static void idleHandlersRunOnceAWait() {
    final Recorder recorder = Recorder.onNewLooper();
    final int[] calls = new int[1];
    Looper.myQueue().addIdleHandler(() -> {
      calls[0]++;
      return true;
    });
    recorder.loopFor(100);
    Check.between(0, 1, calls[0], "number of calls");
  }

  private static void idleHandlerThrows() {
    final Recorder recorder = Recorder.onNewLooper();
    final int[] thrown = new int[1];
    Looper.myQueue().addIdleHandler(() -> {
      thrown[0]++;
      throw new IllegalStateException("expected by the test");
    });
    Looper.myQueue().addIdleHandler(() -> {
      if (!recorder.seen.isEmpty()) {
        recorder.getLooper().quit();
      }
      recorder.sendEmptyMessage(1);
      return true;
    });
    Looper.loop();
    Check.equal(1, thrown[0]);
    Check.equal(Arrays.asList(1), recorder.seen);
  }

  private static void handlerThread() throws InterruptedException {
    final List<String> events = new ArrayList<>();
    final HandlerThread thread = new HandlerThread("worker") {
      @Override
      protected void onLooperPrepared() {
        events.add("prepared");
      }
    };
    Check.equal(null, thread.getLooper());
    thread.start();
    final Looper looper = thread.getLooper();
    Check.that(looper.getThread() == thread, "the looper is another thread's");
    new Handler(looper).post(() -> {
      events.add(Thread.currentThread().getName());
      Check.equal(Process.myTid(), thread.getThreadId());
    });
    Check.that(thread.quitSafely(), "quitSafely refused");
    thread.join(10_000);
    Check.equal(Arrays.asList("prepared", "worker"), events);
    Check.that(!thread.quit(), "a dead thread quit");
    Check.equal(-1, thread.getThreadId());
  }

  private static void handlerThreadPriority() throws InterruptedException {
    final HandlerThread thread =
        new HandlerThread("background", Process.THREAD_PRIORITY_BACKGROUND);
    thread.start();
    final int[] priority = new int[1];
    new Handler(thread.getLooper())
        .post(() -> priority[0] = Process.getThreadPriority(Process.myTid()));
    thread.quitSafely();
    thread.join(10_000);
    Check.equal(Process.THREAD_PRIORITY_BACKGROUND, priority[0]);
    Check.thrown(IllegalArgumentException.class, () -> Process.setThreadPriority(0x3fffffff, 0));
  }

  /** A process has one main thread, so this is one case. */
  private static void mainThread() {
    final ActivityThread thread = ActivityThread.attach();
    Check.that(Looper.getMainLooper() == Looper.myLooper(), "another main looper");
    Check.that(ActivityThread.currentActivityThread() == thread, "another activity thread");
    Check.thrown(IllegalStateException.class, () -> Looper.getMainLooper().quit());

    final List<String> ran = new ArrayList<>();
    final Handler system = thread.getHandler();
    for (int what : new int[] {H.BIND_APPLICATION, H.RECEIVER, H.EXECUTE_TRANSACTION}) {
      final Runnable work = () -> ran.add(((H) system).codeToString(what));
      system.sendMessage(system.obtainMessage(what, work));
    }
    system.sendEmptyMessage(H.EXIT_APPLICATION); // which the main looper refuses
    Check.thrown(IllegalStateException.class, Looper::loop);
    Check.equal(Arrays.asList("BIND_APPLICATION", "RECEIVER", "EXECUTE_TRANSACTION"), ran);

    Check.thrown(RuntimeException.class, Looper::prepareMainLooper);
  }

  private static void messageCodes() {
    Check.equal(110, H.BIND_APPLICATION);
    Check.equal(113, H.RECEIVER);
    Check.equal(115, H.SERVICE_ARGS);
    Check.equal(118, H.CONFIGURATION_CHANGED);
    Check.equal(122, H.UNBIND_SERVICE);
    Check.equal(159, H.EXECUTE_TRANSACTION);
    Check.equal(160, H.RELAUNCH_ACTIVITY);
  }

  private static void clocks() {
    final long uptime = SystemClock.uptimeMillis();
    final long nanos = System.nanoTime() / 1_000_000;
    Check.between(0, 1000, nanos - uptime, "System.nanoTime after uptimeMillis in ms");
    Check.that(SystemClock.elapsedRealtime() >= uptime, "elapsedRealtime is behind");
    Check.between(0, 1000,
        SystemClock.elapsedRealtimeNanos() / 1_000_000 - SystemClock.elapsedRealtime() + 1,
        "difference of the two elapsedRealtime in ms");
    final long cpu = SystemClock.currentThreadTimeMillis();
    SystemClock.sleep(100);
    Check.between(0, 50, SystemClock.currentThreadTimeMillis() - cpu, "CPU time of a sleep in ms");
    Check.between(100, 1100, SystemClock.uptimeMillis() - uptime, "a sleep of 100 ms in ms");
  }

  private static void sleepKeepsInterrupt() {
    Thread.currentThread().interrupt();
    final long start = SystemClock.uptimeMillis();
    SystemClock.sleep(60);
    Check.between(60, 1060, SystemClock.uptimeMillis() - start, "sleep in ms");
    Check.that(Thread.interrupted(), "the interrupt is lost");
  }

  private static void processIds() {
    Check.that(Process.myPid() > 0, "no process id");
    Check.that(Process.myTid() != Process.myPid(), "a case's thread is the main one");
    Check.that(Process.myUid() >= 0, "no user id");
  }

  private static void build() {
    String release = System.getProperty("testbed.art.release");
    Check.equal(release, Build.VERSION.RELEASE);
    Check.equal(release.equals("10") ? 29 : release.equals("11") ? 30 : 34, Build.VERSION.SDK_INT);
  }
}
