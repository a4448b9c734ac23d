// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * Holds up its main thread by other threads, in the way args[0], prints "ready", and stays so. args[1] is a pipe without
 * a writer.
 */
public final class Around {
  private static final int HOLD_MS = 20_000;

  private static final Object ORDERS = new Object();
  private static final Object DISK = new Object();
  static volatile long sink;
  private static volatile boolean isHeld;
  private static String pipe;

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    pipe = args[1];
    switch (args[0]) {
      case "computes":
        hold(new Thread(new Owner(Around::inflate), "order-sync"));
        break;
      case "waits":
        hold(new Thread(new Disk(), "disk-writer"));
        isHeld = false;
        hold(new Thread(new Owner(Around::flush), "order-sync"));
        break;
      case "reads":
        hold(new Thread(new Owner(Around::receive), "order-sync"));
        break;
      case "sleeps":
        hold(new Thread(new Owner(Around::pause), "order-sync"));
        break;
      default:
        new Thread(Around::index, "indexer").start();
        new Thread(Around::scale, "thumbnailer").start();
    }
    new Handler().post(args[0].equals("starves") ? new Draw() : new CheckOut());
    Looper.loop();
  }

  private static void hold(Thread owner) throws InterruptedException {
    owner.start();
    while (!isHeld) {
      Thread.sleep(1);
    }
  }

  private static void spin() {
    long end = System.nanoTime() + HOLD_MS * 1_000_000L;
    long sum = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1000; i++) {
        sum += i ^ sum;
      }
    }
    sink = sum;
  }

  private static void inflate() {
    spin();
  }

  private static void index() {
    spin();
  }

  private static void scale() {
    spin();
  }

  private static void flush() {
    synchronized (DISK) {
      sink++;
    }
  }

  private static void receive() {
    try (FileInputStream in = new FileInputStream(pipe)) {
      sink = in.read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(HOLD_MS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Holds the lock that the main thread wants. */
  private static final class Owner implements Runnable {
    private final Runnable work;

    Owner(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      synchronized (ORDERS) {
        isHeld = true;
        work.run();
      }
    }
  }

  /** Holds the lock that the owner wants. */
  private static final class Disk implements Runnable {
    @Override
    public void run() {
      synchronized (DISK) {
        isHeld = true;
        checksum();
      }
    }

    private static void checksum() {
      spin();
    }
  }

  private static final class CheckOut implements Runnable {
    @Override
    public void run() {
      System.out.println("ready");
      synchronized (ORDERS) {
        sink++;
      }
    }
  }

  private static final class Draw implements Runnable {
    @Override
    public void run() {
      System.out.println("ready");
      spin();
    }
  }
}
