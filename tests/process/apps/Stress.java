import android.os.Handler;
import android.os.Looper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** For args[0] seconds, in messages of 3 s: exceptions, collections, strings, locks, deep stacks, collections of garbage, threads. */
public class Stress {
  private static final Object LOCK = new Object();
  private static volatile int sink;
  private static long endNs;
  private static Handler handler;

  public static void main(String[] args) {
    endNs = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
    Looper.prepareMainLooper();
    handler = new Handler();
    for (int i = 0; i < 2; i++) {
      Thread churn = new Thread(Stress::churn, "churn-" + i);
      churn.setDaemon(true);
      churn.start();
    }
    handler.post(Stress::message);
    Looper.loop();
  }

  private static void message() {
    long end = Math.min(endNs, System.nanoTime() + 3000000000L);
    int round = 0;
    while (System.nanoTime() < end) {
      sink += throwAndCatch(round % 40) + fibonacci(10) + strings(round) + maps(round) + locked(round);
      if (++round % 200 == 0) {
        System.gc();
      }
    }
    if (System.nanoTime() < endNs) {
      handler.post(Stress::message);
    } else {
      System.exit(0);
    }
  }

  private static int throwAndCatch(int depth) {
    try {
      return fall(depth);
    } catch (IllegalStateException e) {
      return e.getMessage().length();
    }
  }

  private static int fall(int depth) {
    if (depth == 0) {
      throw new IllegalStateException("bottom");
    }
    return fall(depth - 1) + 1;
  }

  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  private static int strings(int round) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      text.append(round + i).append(',');
    }
    return text.toString().hashCode();
  }

  private static int maps(int round) {
    Map<String, List<Integer>> map = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      List<Integer> list = new ArrayList<>();
      list.add(i);
      map.put("key" + (round + i), list);
    }
    return map.size();
  }

  private static int locked(int round) {
    synchronized (LOCK) {
      return round;
    }
  }

  private static void churn() {
    while (true) {
      Thread thread = new Thread(() -> sink += new int[1000].length);
      thread.start();
      try {
        thread.join();
        synchronized (LOCK) {
          sink++;
        }
        Thread.sleep(5);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
