// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.File;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads block in each possible way until the file args[1] exists; the main thread does so in a message. They block in
 * chains of native functions of the library args[0], and in the runtime's own waits.
 */
public class NativeWaits {
  private static final int CHAINS = 4;
  private static final Object LOCK = new Object();
  private static volatile boolean isHeld;

  /** In a chain of functions, by its number, until it is released. */
  static native void wait(int chain);

  static native void release(int waits);

  public static void main(String[] args) {
    System.load(args[0]);
    System.out.println("ready");
    start("object", () -> waitFor(new Object()));
    start("sleep", () -> Pauses.sleep(1_000_000));
    start("park", () -> LockSupport.park());
    start("holder", NativeWaits::hold);
    start("monitor", NativeWaits::enterWhatIsHeld);
    for (int i = 0; i < CHAINS; i++) {
      final int chain = i;
      start("chain-" + i, () -> wait(chain));
    }
    start("end", () -> awaitFile(new File(args[1])));
    Looper.prepareMainLooper();
    new Handler().post(NativeWaits::message);
    Looper.loop();
  }

  private static void message() {
    wait(0);
    System.exit(0);
  }

  private static void hold() {
    synchronized (LOCK) {
      isHeld = true;
      Pauses.sleep(1_000_000);
    }
  }

  private static void enterWhatIsHeld() {
    while (!isHeld) {
      Pauses.sleep(1);
    }
    synchronized (LOCK) {
      isHeld = false;
    }
  }

  private static void start(String name, Runnable work) {
    final Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void waitFor(Object object) {
    synchronized (object) {
      try {
        object.wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void awaitFile(File told) {
    Pauses.awaitFile(told);
    release(CHAINS + 1);
  }
}
