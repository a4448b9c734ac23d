// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/** Dispatches args[0] empty messages. */
public class Quick {
  private static int left;

  public static void main(String[] args) {
    left = Integer.parseInt(args[0]);
    Looper.prepareMainLooper();
    final Handler handler = new Handler();
    handler.post(
        new Runnable() {
          @Override
          public void run() {
            if (left-- > 0) {
              handler.post(this);
            } else {
              System.exit(0);
            }
          }
        });
    Looper.loop();
  }
}
