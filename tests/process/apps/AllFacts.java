// SPDX-License-Identifier: Apache-2.0
import android.app.ActivityManager;
import android.app.ActivityThread;
import android.app.Application;
import android.app.SystemMessages;
import android.os.Handler;
import android.os.Process;
import android.os.SystemClock;
import android.view.Choreographer;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;

/** An application whose dump has every fact that the profiler reads from the runtime and the framework. */
public class AllFacts {
  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final FutureTask<Integer> TASK = new FutureTask<>(() -> {
    SystemClock.sleep(60_000);
    return 1;
  });

  public static void main(String[] args) {
    ActivityThread.main(new String[] {"AllFacts$App"});
  }

  /** Posts a message of 300 ms, frames, one of 300 ms without CPU, and the end. */
  public static class App extends Application {
    private final Handler main = new Handler();

    @Override
    public void onCreate() {
      start("holds a monitor", App::holdMonitor);
      start("waits for a monitor", App::waitForMonitor);
      start("holds a lock", App::holdLock);
      start("waits for a lock", App::waitForLock);
      start("runs a task", TASK);
      start("waits for a task", App::waitForTask);
      main.postDelayed(App::compute, 1_500);
      main.postDelayed(App::draw, 2_000);
      main.postDelayed(() -> SystemClock.sleep(300), 2_700);
      main.postDelayed(this::end, 3_200);
    }

    private static void start(String name, Runnable work) {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      thread.start();
    }

    private static void holdMonitor() {
      synchronized (MONITOR) {
        SystemClock.sleep(60_000);
      }
    }

    private static void waitForMonitor() {
      SystemClock.sleep(300);
      synchronized (MONITOR) {
        SystemClock.sleep(1);
      }
    }

    private static void holdLock() {
      LOCK.lock();
      SystemClock.sleep(60_000);
    }

    private static void waitForLock() {
      SystemClock.sleep(300);
      LOCK.lock();
    }

    private static void waitForTask() {
      SystemClock.sleep(300);
      try {
        TASK.get();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static void compute() {
      long until = SystemClock.uptimeMillis() + 300;
      while (SystemClock.uptimeMillis() < until) {
        // computes
      }
    }

    private static void draw() {
      Choreographer choreographer = Choreographer.getInstance();
      choreographer.postFrameCallback(new Choreographer.FrameCallback() {
        private int frames;

        @Override
        public void doFrame(long frameTimeNanos) {
          SystemClock.sleep(frames == 3 ? 120 : 1);
          if (++frames < 10) {
            choreographer.postFrameCallback(this);
          }
        }
      });
    }

    /** The system asks for an ANR's traces, while messages wait. */
    private void end() {
      SystemMessages.send(ActivityThread.currentActivityThread().getHandler());
      main.sendMessageDelayed(main.obtainMessage(7, 3, -4, "three coffees"), 60_000);
      main.postDelayed(App::compute, 60_000);
      ActivityManager.setNotResponding(Process.myPid(), "com.example/.Main", "ANR Input dispatching timed out");
      System.out.println("ready");
      SystemClock.sleep(2_500);
      System.exit(0);
    }
  }
}
