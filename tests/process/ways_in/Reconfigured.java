// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;

/**
 * An application whose settings come from afar. args: the library, the dump folder, what. See settings_test.py.
 *
 * <p>"rates" N: messages of 30 ms, while two threads change the rate N times each, by documents and by calls. "documents": one
 * after the other, and what became of them. "wait": until the file "told" is in the folder.
 */
public final class Reconfigured {
  private static volatile long sink;
  private static String folder;
  private static Handler main;
  private static volatile boolean isOver;
  private static volatile boolean told;

  public static void main(String[] args) {
    System.load(args[0]);
    folder = args[1];
    Looper.prepareMainLooper();
    main = new Handler();
    switch (args[2]) {
      case "rates":
        Stillframe.configure("slow_ms", "1");
        Stillframe.configure("tree_min_ms", "10");
        Stillframe.configure("trees", "100");
        Stillframe.configure("interval_us", "1000");
        start();
        main.post(Reconfigured::keepBusy);
        new Thread(() -> rates(Integer.parseInt(args[3]))).start();
        break;
      case "documents":
        documents();
        break;
      case "records":
        Stillframe.addRecordListener(path -> {
          throw new IllegalStateException("dropped");
        });
        Stillframe.addRecordListener(path -> {
          System.out.println("record " + path);
          told = true;
        });
        start();
        main.post(() -> spin(120));
        main.post(() -> new Thread(Reconfigured::endWhenTold).start());
        break;
      case "wait":
        Stillframe.identify("install-1", 1204);
        start();
        System.out.println("ready");
        new Thread(Reconfigured::waitUntilTold).start();
        break;
      default:
        throw new IllegalArgumentException(args[2]);
    }
    Looper.loop();
  }

  private static void start() {
    System.out.println("start " + Stillframe.start(folder));
    Stillframe.await(60_000);
    System.out.println("state " + Stillframe.state());
  }

  private static void keepBusy() {
    spin(30);
    if (!isOver) {
      main.post(Reconfigured::keepBusy);
    }
  }

  private static void rates(int rounds) {
    for (int part = 0; part < 4; part++) {
      Thread other = new Thread(() -> byCalls(rounds / 4));
      other.start();
      byDocuments(rounds / 4);
      join(other);
      Runtime.getRuntime().gc();
      System.out.println("part " + part);
      while (!exists("looked" + part)) {
        SystemClock.sleep(5);
      }
    }
    isOver = true;
    main.post(() -> {
      System.out.println("cpu " + SystemClock.currentThreadTimeMillis());
      Stillframe.configureDocument("{\"interval_us\": 4000}");
      dump("before");
    });
    main.post(() -> spin(400));
    main.post(() -> {
      Stillframe.configure("interval_us", "1000");
      dump("slow");
    });
    main.post(() -> spin(400));
    main.post(() -> {
      dump("fast");
      System.exit(0);
    });
  }

  private static void byDocuments(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Stillframe.configureDocument(i % 10 == 9 ? "{\"interval_us\": 1000" : "{\"rules\": [{\"set\": {\"interval_us\": "
          + (i % 2 == 0 ? 1000 : 4000) + "}}], \"trees\": " + (90 + i % 10) + "}");
      SystemClock.sleep(i % 5);
    }
  }

  private static void byCalls(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Stillframe.configure("interval_us", i % 2 == 0 ? "4000" : "1000");
      if (i % 50 == 49) { // off and on again
        Stillframe.configure("enabled", "0");
        Stillframe.configure("enabled", "1");
      }
      SystemClock.sleep(i % 7);
    }
  }

  private static void documents() {
    Stillframe.identify("install-1", 1204);
    say("early", "{\"slow_ms\": 20, \"trees\": 7, \"rules\": [{\"if\": {\"min_version\": 1205}, \"set\": {\"trees\": 8}}]}");
    start();
    dump("first");
    say("rules", "{\"trees\": 9, \"slow_ms\": 30, \"no_such\": 1, \"interval_us\": \"soon\", \"rules\": ["
        + "{\"if\": {\"max_version\": 1204, \"percent\": 100, \"debuggable\": [true, false]}, \"set\": {\"jank_ms\": 500}},"
        + "{\"if\": {\"percent\": 0}, \"set\": {\"jank_ms\": 400}}, {\"if\": {\"moon\": 1}, \"set\": {\"jank_ms\": 300}}]}");
    dump("second");
    StringBuilder deep = new StringBuilder("{\"trees\": ");
    for (int i = 0; i < 20000; i++) {
      deep.append('[');
    }
    say("deep", deep.toString());
    say("twice", "{\"trees\": 1, \"trees\": 2}");
    say("zero", "{\"trees\": \"\0\"}");
    say("null", null);
    StringBuilder huge = new StringBuilder("{\"trees\": 1}");
    for (int i = 0; i < 7000; i++) {
      huge.append("                ");
    }
    say("huge", huge.toString());
    dump("third");
    System.out.println("call " + Stillframe.configure("trees", "11"));
    dump("fourth");
    main.post(() -> {
      spin(300);
      say("off", "{\"enabled\": false}");
      System.out.println("state " + Stillframe.state() + " dump " + Stillframe.dump() + " start " + Stillframe.start());
      spin(300);
    });
    main.post(() -> spin(300)); // not sampled
    main.post(() -> {
      say("on", "{\"trees\": 12}");
      System.out.println("state " + Stillframe.state());
      spin(300);
    });
    main.post(() -> {
      dump("fifth");
      System.exit(0);
    });
  }

  private static void say(String what, String document) {
    System.out.println(what + " " + Stillframe.configureDocument(document));
  }

  private static void dump(String which) {
    System.out.println("dump " + which + " " + Stillframe.dump());
  }

  private static void waitUntilTold() {
    while (!exists("told")) {
      SystemClock.sleep(200);
    }
    System.out.println("state " + Stillframe.state());
    dump("last");
    System.exit(0);
  }

  private static void endWhenTold() {
    for (int i = 0; !told && i < 6000; i++) {
      SystemClock.sleep(10);
    }
    System.exit(0);
  }

  private static boolean exists(String name) {
    return new java.io.File(folder + "/" + name).exists();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
