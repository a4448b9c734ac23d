// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;

/**
 * An application with remote settings. args: the library, the dump folder, what. See settings_test.py.
 *
 * <p>"rates" N: messages of 30 ms, while two threads change the rate N times each, by documents and by calls.
 * "documents": in sequence, with the result of each. "wait": until the file "told" is in the folder.
 */
public final class Reconfigured {
  private static volatile long sink;
  private static String folder;
  private static Handler main;
  private static volatile boolean isOver;
  private static volatile boolean told;
  // Neither is a multiple of the other, nor are their small multiples: the time between two samples tells.
  private static final int FAST_US = 1009;
  private static final int SLOW_US = 4003;
  private static final StringBuilder CALLS = new StringBuilder();

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
        setRate(FAST_US);
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
        main.post(() -> new Thread(Reconfigured::endWhenAsked).start());
        break;
      case "group": // args: the install, a document, a later one
        System.out.println("group " + Stillframe.group());
        Stillframe.identify(args[3], 1204);
        say("early", args[4]);
        start();
        System.out.println("group " + Stillframe.group());
        say("later", args[5]);
        main.post(() -> spin(900));
        main.post(() -> {
          System.out.println("group " + Stillframe.group() + " start " + Stillframe.start());
          new Thread(Reconfigured::waitUntilTold).start();
        });
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
    SystemClock.sleep(600); // of one rate
    isOver = true;
    main.post(() -> {
      System.out.println("cpu " + SystemClock.currentThreadTimeMillis());
      dump("before");
      documentRate(SLOW_US);
    });
    main.post(() -> spin(400));
    main.post(() -> {
      dump("slow");
      setRate(FAST_US);
    });
    main.post(() -> spin(400));
    main.post(() -> {
      dump("fast");
      System.out.print(CALLS);
      System.exit(0);
    });
  }

  private static void byDocuments(int rounds) {
    for (int i = 0; i < rounds; i++) {
      if (i % 10 == 9) {
        Stillframe.configureDocument("{\"interval_us\": 1000");
      } else {
        documentRate(i % 2 == 0 ? FAST_US : SLOW_US);
      }
      SystemClock.sleep(i % 5);
    }
  }

  private static void byCalls(int rounds) {
    for (int i = 0; i < rounds; i++) {
      setRate(i % 2 == 0 ? SLOW_US : FAST_US);
      if (i % 50 == 49) { // off and on again
        Stillframe.configure("enabled", "0");
        Stillframe.configure("enabled", "1");
      }
      SystemClock.sleep(i % 7);
    }
  }

  private static void setRate(int us) {
    long begin = System.nanoTime();
    Stillframe.configure("interval_us", Integer.toString(us));
    called(begin, us);
  }

  private static void documentRate(int us) {
    long begin = System.nanoTime();
    Stillframe.configureDocument("{\"interval_us\": " + us + ", \"trees\": 100}");
    called(begin, us);
  }

  private static void called(long begin, int us) {
    long end = System.nanoTime();
    synchronized (CALLS) {
      CALLS.append("rate ").append(us).append(' ').append(begin).append(' ').append(end).append('\n');
    }
  }

  private static void documents() {
    Stillframe.identify("install-1", 1204);
    say("early", "{\"slow_ms\": 20, \"trees\": 7}");
    start();
    dump("first");
    say("cohort", "{\"trees\": 9, \"slow_ms\": 30, \"no_such\": 1, \"interval_us\": \"soon\", \"jank_ms\": 500, "
        + "\"rules\": [{\"set\": {\"jank_ms\": 400}}], \"cohort\": {\"percent\": 100, \"salt\": \"janks\"}}");
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
      say("text", "{\"enabled\": \"False\"}");
      say("unread", "{\"enabled\": \"off\"}");
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

  private static void endWhenAsked() {
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
