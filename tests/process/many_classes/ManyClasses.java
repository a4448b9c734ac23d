// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import com.example.application.generated.screens.presentation.internal.Presenters;

/**
 * Runs args[0] generated classes, args[1] per message. Then a message with a class of its own hangs for args[2] ms.
 * With "inside", all is one message, and the hang takes twice the time of the classes.
 */
public class ManyClasses {
  public static class
      CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone
      implements Runnable {
    private final long ms;

    CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone(
        long ms) {
      this.ms = ms;
    }

    @Override
    public void run() {
      hold(System.nanoTime() + ms * 1000000L);
    }

    private static void hold(long end) {
      while (System.nanoTime() < end) {
      }
    }
  }

  public static void main(String[] args) {
    int classes = Integer.parseInt(args[0]);
    int each = Integer.parseInt(args[1]);
    Runnable next = new Presenters();
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    if (args.length > 3 && args[3].equals("inside")) {
      handler.post(() -> {
        long begin = System.nanoTime();
        run(next, classes);
        hang((System.nanoTime() - begin) / 1000000L * 2);
      });
    } else {
      for (int i = 0; i < classes; i += each) handler.post(() -> run(next, each));
      handler.post(() -> hang(Long.parseLong(args[2])));
    }
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void hang(long ms) {
    new CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone(
        ms)
        .run();
  }

  private static void run(Runnable next, int times) {
    for (int i = 0; i < times; i++) next.run();
  }
}
