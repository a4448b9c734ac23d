// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;

/** An application that starts the profiler in each possible way. See ways_in_test.py. */
public class WaysIn {
  private static volatile long sink;
  private static volatile boolean inMessage;
  private static volatile boolean released;
  private static volatile int spunMs;
  private static volatile int told;
  private static String library;
  private static String way;
  private static String dumps;

  /** Loads a library and calls its Agent_OnAttach, as VMDebug.attachAgent does. Returns its result. */
  static native int attach(String library, String options);

  /** CPU time of this thread in nanoseconds. */
  static native long cpuNs();

  /** Page faults of this thread that needed no disk. */
  static native long pageFaults();

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    library = args[1];
    way = args[2];
    dumps = args[3];
    String what = args[4];
    if (what.equals("start")) {
      start();
      System.out.println("cpu " + startedCpuNs);
      System.out.println("faults " + startedFaults);
      Stillframe.await(60_000);
      System.out.println("state " + Stillframe.state());
      System.exit(0);
    }
    Looper.prepareMainLooper();
    if (what.equals("use")) {
      use();
    } else if (what.equals("churn")) {
      churn(Integer.parseInt(args[5]));
    } else {
      late(what);
    }
    Looper.loop();
  }

  private static long startedCpuNs;
  private static long startedFaults;

  private static void start() {
    pageFaults(); // linked before it is measured
    long before;
    long faults;
    if (way.equals("agent")) {
      String options = "trees=7,omit=reason,annotations,dump_dir=" + dumps;
      faults = pageFaults();
      before = cpuNs();
      int result = attach(library, options);
      startedCpuNs = cpuNs() - before;
      startedFaults = pageFaults() - faults;
      System.out.println("attached " + result);
      System.load(library); // for the facade
    } else if (way.equals("facade")) {
      System.load(library);
      System.out.println("state " + Stillframe.state());
      faults = pageFaults();
      before = cpuNs();
      Stillframe.Status status = Stillframe.start(dumps);
      startedCpuNs = cpuNs() - before;
      startedFaults = pageFaults() - faults;
      System.out.println("start " + status);
    } else { // preloaded, or an agent from the beginning
      System.load(library);
      System.out.println("start " + Stillframe.start());
    }
  }

  private static void use() {
    System.load(library);
    System.out.println("state " + Stillframe.state());
    System.out.println("bad " + Stillframe.configure("slow_mss", "20") + " " + Stillframe.configure("slow_ms", "x")
        + " " + Stillframe.configure(null, "20"));
    System.out.println("early " + Stillframe.stop() + " " + Stillframe.dump() + " "
        + Stillframe.configure("trees", "7") + " " + Stillframe.annotate("battery", "full"));
    start();
    System.out.println("await " + Stillframe.await(60_000) + " " + Stillframe.state());
    System.out.println("again " + Stillframe.start());
    Stillframe.scene("a scene");
    Stillframe.Listener broken =
        path -> {
          throw new IllegalStateException("dropped");
        };
    Stillframe.addListener(broken);
    Stillframe.addListener(
        path -> {
          System.out.println("told " + path);
          told++;
        });
    Handler handler = new Handler();
    handler.post(() -> spin(610));
    handler.post(() -> System.out.println("dump " + Stillframe.dump()));
    handler.post(() -> System.out.println("stop " + Stillframe.stop()));
    handler.post(() -> spin(610));
    handler.post(() -> System.out.println("start " + Stillframe.start()));
    handler.post(() -> System.out.println("late " + Stillframe.configure("slow_ms", "20") + " "
        + Stillframe.configure("interval_us", "2000") + " " + Stillframe.configure("interval_us", "1")));
    handler.post(() -> spin(610));
    handler.post(
        () -> {
          String path = Stillframe.dump();
          System.out.println("dump " + path);
          // Listeners are called later, on another thread.
          for (int i = 0; path != null && told < 2 && i < 6000; i++) {
            SystemClock.sleep(10);
          }
          System.exit(0);
        });
  }

  /** Starts on another thread, while the main thread does `state`. */
  private static void late(String state) {
    Handler handler = new Handler();
    new Thread(() -> lateOn(handler, state.equals("idle"))).start();
    if (state.equals("busy")) {
      handler.post(WaysIn::spinUntilReleased);
    } else if (state.equals("before")) {
      spinUntilReleased();
    }
  }

  private static void lateOn(Handler handler, boolean isIdle) {
    while (!isIdle && !inMessage) {
      SystemClock.sleep(5);
    }
    SystemClock.sleep(100);
    start();
    System.out.println("await " + Stillframe.await(60_000) + " " + Stillframe.state());
    // However long the machine takes for it.
    int before = spunMs;
    while (!isIdle && spunMs < before + 300) {
      SystemClock.sleep(5);
    }
    System.out.println("dump " + Stillframe.dump());
    released = true;
    handler.post(() -> spin(610));
    handler.post(() -> System.out.println("dump " + Stillframe.dump()));
    handler.post(() -> System.exit(0));
  }

  private static void spinUntilReleased() {
    inMessage = true;
    while (!released) {
      spin(5);
      spunMs += 5;
    }
  }

  /** Messages of 30 ms, while another thread stops, starts and configures all the time. */
  private static void churn(int rounds) {
    System.load(library);
    Stillframe.configure("interval_us", "1000");
    Stillframe.configure("slow_ms", "1");
    Stillframe.configure("tree_min_ms", "10");
    Handler handler = new Handler();
    new Thread(() -> churnOn(rounds)).start();
    keepBusy(handler);
  }

  private static void keepBusy(Handler handler) {
    spin(30);
    handler.post(() -> keepBusy(handler));
  }

  private static void churnOn(int rounds) {
    start();
    Stillframe.await(60_000);
    System.out.println("state " + Stillframe.state());
    String[] intervals = {"1000", "700", "2000", "bad", "1000"};
    for (int part = 0; part < 4; part++) {
      for (int i = 0; i < rounds / 4; i++) {
        expect(Stillframe.Status.OK, Stillframe.stop());
        if (i % 3 == 0) {
          SystemClock.sleep(1);
        }
        expect(Stillframe.Status.OK, Stillframe.start());
        expect(Stillframe.Status.ALREADY_STARTED, Stillframe.start());
        Stillframe.configure("interval_us", intervals[i % intervals.length]);
        expect(Stillframe.Status.OK, Stillframe.configure("trees", i % 2 == 0 ? "3" : "10"));
        if (i % 15 == 0) {
          Stillframe.dump();
        }
        SystemClock.sleep(i % 7);
      }
      Runtime.getRuntime().gc();
      System.out.println("part " + part);
      while (!released(part)) {
        SystemClock.sleep(5);
      }
    }
    System.out.println("dump " + Stillframe.dump());
    System.exit(0);
  }

  /** Whether the test has looked: it leaves a file for each part. */
  private static boolean released(int part) {
    return new java.io.File(dumps + "/looked" + part).exists();
  }

  private static void expect(Stillframe.Status wanted, Stillframe.Status status) {
    if (status != wanted) {
      System.out.println("expected " + wanted + ", not " + status);
      System.exit(1);
    }
  }

  private static void spin(int ms) {
    long end = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < end) {
      for (int i = 0; i < 1000; i++) {
        sink++;
      }
    }
  }
}
