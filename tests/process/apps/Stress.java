// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import dalvik.system.PathClassLoader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For args[0] seconds, in messages of 3 s: exceptions, collections, strings, locks, deep stacks, collections of garbage,
 * threads, and classes that live in a loader of their own for one run.
 */
public class Stress {
  private static final Object LOCK = new Object();
  private static final String JAR = System.getProperty("java.class.path");
  private static final int ROUNDS_PER_GUEST = 50;
  /** The last classes that were loaded, to see that they go away. */
  private static final List<WeakReference<Class<?>>> GUESTS = new ArrayList<>();

  private static int loaded;
  private static int unloaded;
  private static volatile int sink;
  private static long endNs;
  private static Handler handler;

  /** Loaded anew each time, with its nested class. */
  public static class Guest implements Runnable {
    private static class Luggage {
      private final int weight;

      Luggage(int weight) {
        this.weight = weight;
      }
    }

    /** Often enough that a compiler makes code of it. */
    @Override
    public void run() {
      for (int i = 0; i < 200; i++) {
        stay(12);
      }
    }

    private static int stay(int nights) {
      return nights == 0 ? new Luggage(nights).weight : stay(nights - 1) + new Luggage(nights).weight;
    }
  }

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
        Runtime.getRuntime().gc();
        System.runFinalization();
      }
      if (round % ROUNDS_PER_GUEST == 0) {
        invite();
      }
    }
    if (System.nanoTime() < endNs) {
      handler.post(Stress::message);
    } else {
      System.out.println("classes loaded " + loaded + " unloaded " + unloaded);
      System.exit(0);
    }
  }

  private static void invite() {
    try {
      ((Runnable) load().newInstance()).run();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * One thread at a time: ART 10 looks at a weak reference that another thread's loading may have deleted
   * (runtime/class_linker.cc of 10.0.0_r36, RegisterDexFile, old_data outside of the lock).
   */
  private static synchronized Class<?> load() throws ClassNotFoundException {
    Class<?> guest = new PathClassLoader(JAR, Object.class.getClassLoader()).loadClass("Stress$Guest");
    loaded++;
    GUESTS.add(new WeakReference<>(guest));
    if (GUESTS.size() > 200) {
      unloaded += GUESTS.remove(0).get() == null ? 1 : 0;
    }
    return guest;
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
      Thread thread = new Thread(Stress::visit);
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

  /** The work of one thread. */
  private static void visit() {
    sink += new int[1000].length;
    invite();
  }
}
