// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Messages with sections of the system trace, written as libcutils of a device writes them, and with sections that the
 * runtime begins itself; args[0] is the library of natives.
 */
public class Sections {
  private static final Object lock = new Object();
  private static volatile long sink;

  static native void awaitProfiler();

  static native void begin(String name);

  static native void end();

  static native void asyncBegin(String name, int cookie);

  static native void asyncEnd(String name, int cookie);

  static native void counter(String name, long value);

  static native long tags();

  static native void setTags(long tags);

  static native int stop();

  static native int start();

  public static void main(String[] args) {
    System.load(args[0]);
    awaitProfiler();
    Looper.prepareMainLooper();
    Handler main = new Handler();
    main.post(Sections::awaitTags);
    main.post(Sections::nested);
    main.post(Sections::contended);
    main.post(Sections::collecting);
    main.post(Sections::setAnew);
    main.post(Sections::open);
    Looper.loop();
  }

  /** The main thread's ring is there once its first message was seen. */
  private static void awaitTags() {
    Pauses.sleep(300);
    System.out.println("tags " + tags());
  }

  static void nested() {
    asyncBegin("download", 7);
    begin("outer");
    spin(300);
    begin("inner, computing");
    computing();
    end();
    counter("queue", 42);
    begin("inner, waiting");
    waiting();
    end();
    outer();
    end();
    asyncEnd("download", 7);
    outside();
  }

  static void computing() {
    spin(600);
  }

  static void waiting() {
    Pauses.sleep(600);
  }

  static void outer() {
    spin(600);
  }

  static void outside() {
    spin(600);
  }

  static void contended() {
    Thread owner = new Thread(() -> {
      synchronized (lock) {
        Pauses.sleep(700);
      }
    }, "owner");
    owner.start();
    Pauses.sleep(100);
    synchronized (lock) {
      sink++;
    }
  }

  static void collecting() {
    begin("collecting");
    Runtime.getRuntime().gc();
    end();
  }

  /** Acts like the system at the end of its trace: our tags disappear, and return. */
  static void setAnew() {
    setTags(0);
    spin(300);
    System.out.println("anew " + tags());
    stop();
    Pauses.sleep(200);
    System.out.println("stopped " + tags());
    begin("while stopped");
    start();
    Pauses.sleep(200);
    System.out.println("started " + tags());
  }

  static void open() {
    begin("never ended");
    spin(300);
    System.exit(0);
  }

  private static void spin(long ms) {
    for (long end = System.nanoTime() + ms * 1_000_000; System.nanoTime() < end; ) {
      sink++;
    }
  }
}
