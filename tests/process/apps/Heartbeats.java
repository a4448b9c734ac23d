// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Threads without a Looper that beat by the C API: "engine", which the VM does not know, and "game", a Java thread.
 * Dumps when both have ended; see c_api.cc.
 */
public class Heartbeats {
  private static Handler handler;
  private static Thread game;

  static native void startEngine();

  static native boolean hasEngineEnded();

  static native void burn();

  static native int begin();

  static native int end();

  public static void main(String[] args) {
    System.load(args[0]);
    Looper.prepareMainLooper();
    handler = new Handler();
    System.out.println("main " + begin());
    handler.post(
        () -> {
          startEngine();
          game = new Thread(Heartbeats::play, "game thread");
          game.start();
          handler.post(Heartbeats::look);
        });
    Looper.loop();
  }

  private static void play() {
    System.out.println("game " + begin());
    burn();
    System.out.println("game " + end());
  }

  private static void look() {
    if (hasEngineEnded() && !game.isAlive()) {
      handler.postDelayed(
          () -> {
            System.out.println("dump " + CApi.dump());
            System.exit(0);
          },
          300);
    } else {
      handler.postDelayed(Heartbeats::look, 50);
    }
  }
}
