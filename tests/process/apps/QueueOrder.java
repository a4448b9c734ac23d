// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import android.os.SystemClock;
import fixture.scenario.TapInForce;
import java.io.File;
import java.lang.reflect.Field;
import java.util.Random;

/**
 * Fills the main looper's queue from three threads, waits in a message until the file args[0] is there, and prints
 * what each later message is as the queue hands it out. args[1]: which of its queues MessageQueue uses. With args[2] a
 * barrier is left in the queue instead.
 */
public final class QueueOrder {
  private static final int THREADS = 3;
  private static final int MESSAGES = 42;
  private static final int LAST = -1;
  private static final int DELAY_MS = 400;
  private static Handler main;
  private static int barrier;

  public static void main(String[] args) throws Exception {
    choose(args[1]);
    Looper.prepareMainLooper();
    main = new Receiver();
    TapInForce.await(60_000);
    if (args.length > 2) {
      main.post(QueueOrder::leakBarrier);
      Looper.loop();
    }
    // The looper sorts these before it runs the next message.
    fill(0);
    File told = new File(args[0]);
    main.post(() -> waitFor(told));
    Looper.loop();
  }

  /** Sets what the system chooses by process and by target. */
  private static void choose(String queue) throws ReflectiveOperationException {
    for (Field field : MessageQueue.class.getDeclaredFields()) {
      field.setAccessible(true);
      switch (field.getName()) {
        case "sIsProcessAllowedToUseConcurrent": field.set(null, queue.equals("sets")); break; // 16
        case "sUseDeliQueue": field.set(null, queue.equals("stack")); break; // 17
        case "sUseDeliQueueInitialized": field.set(null, true); break;
        default: break;
      }
    }
  }

  private static void fill(int first) throws InterruptedException {
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int from = first + i * MESSAGES;
      threads[i] = new Thread(() -> send(from));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Some are asynchronous, and each sixth is removed again. */
  private static void send(int first) {
    Random random = new Random(first);
    long now = SystemClock.uptimeMillis();
    for (int what = first; what < first + MESSAGES; what++) {
      Message message = Message.obtain(main, what);
      message.setAsynchronous(random.nextInt(4) == 0);
      main.sendMessageAtTime(message, now + DELAY_MS + random.nextInt(100));
      if (what % 6 == 5) {
        main.removeMessages(what - 2);
      }
    }
  }

  private static void leakBarrier() {
    post(true);
    main.sendEmptyMessage(0);
    System.out.println("ready");
  }

  private static void waitFor(File told) {
    post(true);
    try {
      fill(THREADS * MESSAGES);
    } catch (InterruptedException unexpected) {
      throw new IllegalStateException(unexpected);
    }
    main.sendMessageAtFrontOfQueue(Message.obtain(main, 2 * THREADS * MESSAGES));
    main.sendEmptyMessageDelayed(LAST, 2 * DELAY_MS);
    System.out.println("ready");
    while (!told.exists()) {
      Pauses.sleep(5);
    }
    post(false);
  }

  /** A barrier, as a traversal has it, or its end. */
  private static void post(boolean on) {
    MessageQueue queue = Looper.myQueue();
    try {
      if (on) {
        barrier = (Integer) MessageQueue.class.getMethod("postSyncBarrier").invoke(queue);
      } else {
        MessageQueue.class.getMethod("removeSyncBarrier", int.class).invoke(queue, barrier);
      }
    } catch (ReflectiveOperationException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private static final class Receiver extends Handler {
    @Override
    public void handleMessage(Message message) {
      if (message.what == LAST) {
        System.exit(0);
      }
      System.out.println("took " + message.what);
    }
  }

  private QueueOrder() {}
}
