// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Typical work of programs. Each kind runs for an equal part of args[0] seconds, in its own message. */
public class Variety {
  private static final int ROUNDS_BETWEEN_CLOCKS = 5;
  private static final Object LOCK = new Object();

  private static volatile long sink;

  interface Work {
    void run() throws Exception;
  }

  interface Shape {
    double area();
  }

  private static class Square implements Shape {
    private final double side;

    Square(double side) {
      this.side = side;
    }

    @Override
    public double area() {
      return side * side;
    }
  }

  private static class Circle implements Shape {
    private final double radius;

    Circle(double radius) {
      this.radius = radius;
    }

    @Override
    public double area() {
      return Math.PI * radius * radius;
    }
  }

  private static final Work[] KINDS = {
    Variety::arrays, Variety::objectArrays, Variety::largeCopies, Variety::allocations, Variety::strings,
    Variety::trees, Variety::interfaceCalls, Variety::mathematics, Variety::clocks, Variety::monitors,
    Variety::exceptions, Variety::stackTraces, Variety::reflection, Variety::proxies, Variety::classes,
    Variety::hashCodes, Variety::threads,
  };

  public static void main(String[] args) {
    final long shareNs = Long.parseLong(args[0]) * 1000000000L / KINDS.length;
    Looper.prepareMainLooper();
    Handler handler = new Handler();
    for (Work work : KINDS) {
      handler.post(() -> workFor(shareNs, work));
    }
    handler.post(() -> System.exit(0));
    Looper.loop();
  }

  private static void workFor(long ns, Work work) {
    long end = System.nanoTime() + ns;
    try {
      while (System.nanoTime() < end) {
        for (int i = 0; i < ROUNDS_BETWEEN_CLOCKS; i++) {
          work.run();
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void arrays() {
    int[] numbers = new int[1000];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * 7919 % 1000;
    }
    int[] sorted = numbers.clone();
    Arrays.sort(sorted);
    System.arraycopy(sorted, 0, numbers, 100, 800);
    sink += numbers[500];
  }

  private static void objectArrays() {
    Object[] objects = new Object[200];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = i % 2 == 0 ? "even" : objects;
    }
    System.arraycopy(objects, 0, objects, 1, 190);
    sink += objects.length;
  }

  private static void largeCopies() {
    byte[] from = new byte[1 << 18];
    byte[] to = new byte[1 << 18];
    for (int i = 0; i < 10; i++) {
      System.arraycopy(from, i, to, 0, from.length - 3 * i - 1);
    }
    sink += to[5];
  }

  private static void allocations() {
    Object[] kept = new Object[64];
    for (int i = 0; i < 2000; i++) {
      kept[i % kept.length] = new byte[i % 1024];
    }
    sink += kept.length;
  }

  private static void strings() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append(i).append(',').append((char) ('a' + i % 26));
    }
    String all = text.toString();
    sink += all.indexOf("99") + all.hashCode() + all.replace('a', 'b').length() + all.substring(10).compareTo("x");
    sink += all.substring(0, 20).intern().length();
  }

  private static void trees() {
    Map<String, Integer> map = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      map.put("key" + i, i);
    }
    sink += map.size();
  }

  private static void interfaceCalls() {
    Shape[] shapes = {new Square(2), new Circle(3)};
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
      sum += shapes[i % 2].area();
    }
    sink += (long) sum;
  }

  private static void mathematics() {
    double sum = 0;
    for (int i = 1; i < 500; i++) {
      sum += Math.sin(i) * Math.sqrt(i) + Math.pow(i, 1.5) + Math.log(i);
    }
    sink += (long) sum;
  }

  private static void clocks() {
    for (int i = 0; i < 500; i++) {
      sink += System.nanoTime() + System.currentTimeMillis();
    }
  }

  private static void monitors() {
    for (int i = 0; i < 500; i++) {
      synchronized (LOCK) {
        sink++;
      }
    }
    sink += nestedMonitors(50);
  }

  private static synchronized int nestedMonitors(int depth) {
    return depth == 0 ? 0 : nestedMonitors(depth - 1) + 1;
  }

  private static void exceptions() {
    for (int i = 0; i < 20; i++) {
      try {
        fail(i);
      } catch (IllegalStateException e) {
        sink += e.getMessage().length();
      }
    }
  }

  private static void fail(int depth) {
    if (depth == 0) {
      throw new IllegalStateException("bottom");
    }
    fail(depth - 1);
  }

  private static void stackTraces() {
    for (int i = 0; i < 10; i++) {
      sink += new Throwable().getStackTrace().length + Thread.currentThread().getStackTrace().length;
    }
  }

  public static int twice(int number) {
    return 2 * number;
  }

  private static void reflection() throws ReflectiveOperationException {
    Method twice = Variety.class.getMethod("twice", int.class);
    for (int i = 0; i < 100; i++) {
      sink += (Integer) twice.invoke(null, i);
    }
  }

  private static void proxies() {
    Class<?>[] interfaces = {Shape.class};
    Shape shape = (Shape) Proxy.newProxyInstance(Variety.class.getClassLoader(), interfaces, (p, method, args) -> 3.0);
    for (int i = 0; i < 50; i++) {
      sink += (long) shape.area();
    }
  }

  private static void classes() throws ReflectiveOperationException {
    for (int i = 0; i < 50; i++) {
      sink += Class.forName("Variety").getName().length() + Variety.class.getDeclaredMethods().length;
    }
  }

  private static void hashCodes() {
    for (int i = 0; i < 200; i++) {
      sink += System.identityHashCode(new Object()) + new Object().hashCode();
    }
  }

  private static void threads() throws InterruptedException {
    Thread thread = new Thread(() -> sink++);
    thread.start();
    thread.join();
  }
}
