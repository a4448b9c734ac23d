// SPDX-License-Identifier: Apache-2.0
package bench;

import android.os.Handler;
import android.os.Looper;

/**
 * Slow messages that run ever new classes of many_classes.jar, until a preloaded profiler has no
 * space for more names. Arguments: classes, classes a message.
 */
public final class ManyClasses {
  private static final String NEXT =
      "com.example.application.generated.screens.presentation.internal.Presenters";

  private ManyClasses() {}

  public static void main(String[] args) throws Exception {
    int classes = Integer.parseInt(args[0]);
    int each = Integer.parseInt(args[1]);
    Runnable next = (Runnable) Class.forName(NEXT).newInstance();
    Looper.prepareMainLooper();
    Handler handler = new Handler(Looper.getMainLooper());
    Thread.sleep(500);
    for (int i = 0; i < classes; i += each) {
      handler.post(() -> {
        for (int j = 0; j < each; j++) next.run();
      });
    }
    handler.post(() -> {
      Runtime.getRuntime().gc();
      Natives.reportMemory();
      System.exit(0);
    });
    Looper.loop();
  }
}
