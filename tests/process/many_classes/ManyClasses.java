// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import com.example.application.generated.screens.presentation.internal.Presenters;

/** Runs args[0] generated classes, so many a slow message as args[1] says; then a class of its own hangs for 3 s. */
public class ManyClasses {
  public static class CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone implements Runnable {
    @Override
    public void run() {
      hold(System.nanoTime() + 3000000000L);
    }

    private static void hold(long end) {
      while (System.nanoTime() < end) {
      }
    }
  }

  public static void main(String[] args) {
    int classes = Integer.parseInt(args[0]);
    int each = Integer.parseInt(args[1]);
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    for (int from = 0; from < classes; from += each) {
      int first = from;
      handler.post(() -> Presenters.run(first, Math.min(first + each, classes)));
    }
    handler.post(new CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone());
    handler.post(() -> System.exit(0));
    Looper.loop();
  }
}
