// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import dalvik.system.PathClassLoader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * For args[1] ms, in one message, repeats: loads a class from the jar args[0] with a new loader, runs it for a few
 * milliseconds, and lets it be unloaded. So each class takes the memory of the one before.
 */
public class Unloading {
  private static final List<WeakReference<Class<?>>> LOADED = new ArrayList<>();

  public static class Red implements Runnable {
    @Override
    public void run() {
      redWork(new long[1]);
    }

    private static void redWork(long[] into) {
      long end = System.nanoTime() + 4000000;
      while (System.nanoTime() < end) {
        into[0]++;
      }
    }
  }

  public static class Blue implements Runnable {
    @Override
    public void run() {
      blueWork(new long[1]);
    }

    private static void blueWork(long[] into) {
      long end = System.nanoTime() + 4000000;
      while (System.nanoTime() < end) {
        into[0] += 3;
      }
    }
  }

  public static void main(String[] args) {
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    handler.post(() -> message(args[0], Long.parseLong(args[1])));
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void message(String jar, long ms) {
    long end = System.nanoTime() + ms * 1000000;
    try {
      while (System.nanoTime() < end) {
        red(jar);
        Runtime.getRuntime().gc();
        System.runFinalization();
        blue(jar);
        Runtime.getRuntime().gc();
        System.runFinalization();
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    int alive = 0;
    for (WeakReference<Class<?>> loaded : LOADED) {
      alive += loaded.get() != null ? 1 : 0;
    }
    System.out.println("loaded " + LOADED.size() + " alive " + alive);
  }

  private static void red(String jar) throws ReflectiveOperationException {
    load(jar, "Unloading$Red").run();
  }

  private static void blue(String jar) throws ReflectiveOperationException {
    load(jar, "Unloading$Blue").run();
  }

  private static Runnable load(String jar, String name) throws ReflectiveOperationException {
    Class<?> loaded = new PathClassLoader(jar, Object.class.getClassLoader()).loadClass(name);
    LOADED.add(new WeakReference<>(loaded));
    return (Runnable) loaded.newInstance();
  }
}
