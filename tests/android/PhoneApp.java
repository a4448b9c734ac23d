// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;

/** An application of a phone: its main thread works now and then, and agents are attached as its pipe says. */
public class PhoneApp {
  private static volatile long sink;

  /** Arguments: a stand-in library for VMDebug.attachAgent, a pipe, a file that makes messages long while it exists. */
  public static void main(String[] args) {
    System.load(args[0]);
    Looper.prepareMainLooper();
    new Thread(() -> attachAgents(args[1])).start();
    work(new Handler(), new File(args[2]));
    Looper.loop();
  }

  private static void work(Handler handler, File hang) {
    spin(hang.exists() ? 2_000 : 60);
    handler.postDelayed(() -> work(handler, hang), 300);
  }

  private static void spin(int ms) {
    long end = SystemClock.currentThreadTimeMillis() + ms;
    while (SystemClock.currentThreadTimeMillis() < end) {
      sink++;
    }
  }

  /** A line is "LIBRARY=OPTIONS", as `am attach-agent` takes it. */
  private static void attachAgents(String pipe) {
    while (true) {
      String line = readLine(pipe);
      int at = line.indexOf('=');
      if (at > 0) {
        System.out.println("attached " + WaysIn.attach(line.substring(0, at), line.substring(at + 1)));
      }
    }
  }

  private static String readLine(String pipe) {
    StringBuilder line = new StringBuilder();
    try (FileInputStream in = new FileInputStream(pipe)) {
      for (int c = in.read(); c > 0 && c != '\n'; c = in.read()) {
        line.append((char) c);
      }
    } catch (IOException problem) {
      System.out.println("pipe: " + problem);
    }
    return line.toString();
  }
}
