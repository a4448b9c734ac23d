// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.stillframe.Stillframe;
import fixture.scenario.TapInForce;

/**
 * An application of version args[0], which it annotates through the library args[1]. Each version hangs in load() for
 * args[2] milliseconds. 1.1 brought a second hang, in total(), for a lock. Neither needs a CPU: a busy machine does not
 * change their causes.
 */
public final class TwoVersions {
  private static final Object CART = new Object();

  public static void main(String[] args) throws InterruptedException {
    final int ms = Integer.parseInt(args[2]);
    Looper.prepareMainLooper();
    final Handler main = new Handler();
    TapInForce.await(60_000);
    System.load(args[1]); // for the facade
    Stillframe.Status status = Stillframe.annotate("version_name", args[0]);
    if (status != Stillframe.Status.OK) {
      throw new IllegalStateException(status.toString());
    }
    main.post(new LoadPrices(ms));
    if (args[0].equals("1.1")) {
      final Thread blocked = Thread.currentThread();
      main.post(() -> new Thread(() -> holdCart(main, blocked, ms), "sync").start());
    } else {
      main.post(() -> System.exit(0));
    }
    Looper.loop();
  }

  private static void holdCart(Handler main, Thread blocked, int ms) {
    synchronized (CART) {
      main.post(new OpenCart());
      main.post(() -> System.exit(0));
      while (blocked.getState() != Thread.State.BLOCKED) {
        SystemClock.sleep(1);
      }
      SystemClock.sleep(ms);
    }
  }

  private static final class LoadPrices implements Runnable {
    private final int ms;

    LoadPrices(int ms) {
      this.ms = ms;
    }

    @Override
    public void run() {
      load();
    }

    private void load() {
      SystemClock.sleep(ms);
    }
  }

  private static final class OpenCart implements Runnable {
    @Override
    public void run() {
      total();
    }

    private static int total() {
      synchronized (CART) {
        return 1;
      }
    }
  }
}
