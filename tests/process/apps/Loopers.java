// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import android.view.Choreographer;
import android.view.ViewRootImpl;
import fixture.scenario.TapInForce;
import java.io.File;

/** Loopers, frames and taps that other components want for themselves; args[0] says which. */
public final class Loopers {
  private static Handler main;
  private static int done; // of several loopers
  private static int calls; // of the component that wants a tap's place

  public static void main(String[] args) throws InterruptedException {
    Looper.prepareMainLooper();
    main = new Handler(Looper.getMainLooper());
    TapInForce.await(10_000);
    switch (args[0]) {
      case "several":
        several();
        break;
      case "others-hang":
        othersHang(Integer.parseInt(args[1]));
        break;
      case "history":
        history();
        break;
      case "watched":
        await(args[1]);
        history();
        break;
      case "watched-hang":
        await(args[1]);
        hang();
        break;
      case "frames":
        main.post(() -> frames(10, 900, 800));
        break;
      case "sum":
        main.post(() -> frames(21, 450, 400));
        break;
      case "replace-printer":
      case "replace-observer":
      case "hide-observer":
        replace(args[0]);
        break;
      case "hang":
        hang();
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
    Looper.loop();
  }

  private static void await(String file) throws InterruptedException {
    while (!new File(file).exists()) {
      Thread.sleep(20);
    }
  }

  private static void hang() {
    main.post(() -> {
      System.out.println("hangs");
      burn(2_500);
    });
    main.postDelayed(Loopers::end, 2_800);
  }

  private static void end() {
    System.out.println("ended");
    System.exit(0);
  }

  private static void burn(long ms) {
    long until = SystemClock.uptimeMillis() + ms;
    while (SystemClock.uptimeMillis() < until) {
      // works
    }
  }

  /** Three loopers beside the main one; each has quick messages and a slow one. */
  private static void several() throws InterruptedException {
    String[] names = {"js", "mqt_native_modules", "other"};
    for (String name : names) {
      HandlerThread thread = new HandlerThread(name);
      thread.start();
      Handler handler = new Handler(thread.getLooper());
      for (int i = 0; i < 100; i++) {
        handler.post(() -> {});
      }
      handler.post(() -> burn(120));
      handler.post(() -> {});
      handler.postDelayed(() -> oneIsDone(names.length), 200);
    }
  }

  /** So many Loopers hang at once for two seconds: even ones compute, odd ones sleep. The main one is well. */
  private static void othersHang(int threads) {
    for (int i = 0; i < threads; i++) {
      HandlerThread thread = new HandlerThread("worker-" + i);
      thread.start();
      boolean sleeps = i % 2 != 0;
      Handler handler = new Handler(thread.getLooper());
      handler.postDelayed(() -> {}, 100);
      handler.postDelayed(() -> hangIn(sleeps), 500);
      handler.postDelayed(() -> oneIsDone(threads), 3_000);
    }
  }

  private static void hangIn(boolean sleeps) {
    if (sleeps) {
      SystemClock.sleep(2_000);
    } else {
      burn(2_000);
    }
  }

  private static synchronized void oneIsDone(int of) {
    if (++done == of) {
      main.postDelayed(Loopers::end, 1_000);
    }
  }

  /** Quick messages, one of 150 ms, a pause, one of 400 ms, quick ones again. */
  private static void history() {
    for (int i = 0; i < 50; i++) {
      main.post(() -> {});
    }
    main.post(() -> burn(150));
    main.postDelayed(() -> burn(400), 1_800);
    for (int i = 0; i < 20; i++) {
      main.postDelayed(() -> {}, 1_801);
    }
    main.postDelayed(Loopers::end, 2_300);
  }

  /** 40 frames in a row; one draws for a while, frame 20 comes late behind a message. */
  private static void frames(int drawn, long drawMs, long messageMs) {
    ViewRootImpl view = new ViewRootImpl();
    Choreographer choreographer = Choreographer.getInstance();
    choreographer.postFrameCallback(new Choreographer.FrameCallback() {
      private int frames;

      @Override
      public void doFrame(long frameTimeNanos) {
        frames++;
        if (frames == drawn) {
          view.scheduleTraversals(() -> burn(drawMs));
        } else if (frames == 20) {
          main.post(() -> burn(messageMs));
        } else if (frames == 40) {
          main.post(Loopers::end);
          return;
        }
        choreographer.postFrameCallback(this);
      }
    });
  }

  /**
   * Another component takes the tap's place, and hands nothing on. It may not be pushed out of it.
   * The first message after that is missed, and shows that it is.
   */
  private static void replace(String how) {
    main.post(() -> {
      if (how.equals("replace-printer")) {
        main.getLooper().setMessageLogging(text -> calls++);
      } else {
        Looper.setObserver(how.equals("hide-observer") ? new Hidden() : new Counting());
      }
    });
    main.postDelayed(() -> burn(100), 2_500);
    main.postDelayed(() -> burn(100), 3_500);
    main.postDelayed(() -> System.out.println("calls " + calls), 3_700);
    main.postDelayed(Loopers::end, 3_700);
  }

  /** Its methods are hidden from the tap only, as on a phone. */
  private static final class Hidden extends Counting {
    @Override
    public Object messageDispatchStarting() {
      for (StackTraceElement caller : new Throwable().getStackTrace()) {
        if (caller.getClassName().startsWith("stillframe.")) {
          throw new NoSuchMethodError("No interface method messageDispatchStarting()");
        }
      }
      return super.messageDispatchStarting();
    }
  }

  private static class Counting implements Looper.Observer {
    @Override
    public Object messageDispatchStarting() {
      calls++;
      return null;
    }

    @Override
    public void messageDispatched(Object token, Message message) {
      calls++;
    }

    @Override
    public void dispatchingThrewException(Object token, Message message, Exception exception) {
      calls++;
    }
  }
}
