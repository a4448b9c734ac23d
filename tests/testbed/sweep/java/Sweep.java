// SPDX-License-Identifier: Apache-2.0
import dalvik.system.PathClassLoader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs that ART's own compiler has compiled one instruction at a time, with a walk after each.
 *
 * <p>Usage: Sweep LIBRARY STEPS JAR: so many steps in compiled code at least; JAR has OracleCheck, whose entry points the
 * runtime left as they were
 */
public final class Sweep {
  /** The swept work. Each method of its class is compiled first. */
  public interface Work {
    int run(int seed);
  }

  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final int RUNS_PER_ROUND = 20;
  private static final int ROUNDS_PER_LOOP = 4;
  private static final int PAUSE_MS = 20;

  /** Makes garbage, so that compiled code meets collections. */
  private static volatile Object garbage;

  private static int sink;

  private Sweep() {}

  private static native void bind();

  private static native boolean open(int release, Class<?> untouched);

  /** Runs the program step by step; {@code notes}: code that is met is remembered, as by the collector. */
  private static native int run(Work work, int seed, boolean notes);

  /** Native code that calls back. */
  static native int through(Work work, int seed);

  /** Native code that does not. */
  static native int leaf(int value);

  /** How many of some methods have compiled code. */
  private static native int compiled(Object[] methods);

  private static native long steps();

  private static native int report();

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    bind();
    Class<?> untouched = new PathClassLoader(args[2], Object.class.getClassLoader()).loadClass("OracleCheck$Probe");
    if (!open(Integer.parseInt(System.getProperty("testbed.art.release")), untouched)) {
      System.exit(2);
    }
    Work[] works = SweepWork.all();
    warm(works);
    if (args[3].equals("churn")) {
      Thread churn = new Thread(Sweep::churn, "churn");
      churn.setDaemon(true);
      churn.start();
    }
    long wanted = Long.parseLong(args[1]);
    for (int round = 0; steps() < wanted; round++) {
      for (int i = 0; i < works.length && steps() < wanted; i++) {
        sink += run(works[i], round, round % 2 == 1);
      }
      if (round % ROUNDS_PER_LOOP == ROUNDS_PER_LOOP - 1) {
        sink += run(freshLoop(), round, round % 2 == 1);
      }
    }
    System.exit(report() == 0 ? 0 : 1);
  }

  private static void warm(Work[] works) throws InterruptedException {
    List<Method> methods = new ArrayList<>();
    for (Class<?> type : SweepWork.TYPES) {
      for (Method method : type.getDeclaredMethods()) {
        methods.add(method);
      }
    }
    Object[] all = methods.toArray();
    long end = System.nanoTime() + PATIENCE_NS;
    while (compiled(all) * 4 < all.length * 3 && System.nanoTime() < end) {
      for (int run = 0; run < RUNS_PER_ROUND; run++) {
        for (Work work : works) {
          sink += work.run(run);
        }
      }
      Thread.sleep(50);
    }
    System.out.println(compiled(all) + " of " + all.length + " methods are compiled");
  }

  /** A loop that is entered once: its class is new. */
  private static Work freshLoop() throws ReflectiveOperationException {
    ClassLoader parent = new OnlyWork(Sweep.class.getClassLoader());
    String jar = System.getProperty("java.class.path");
    return (Work) new PathClassLoader(jar, parent).loadClass("SweepLoop").newInstance();
  }

  /** Leaves the loops to its children, gives them what they share with the program. */
  private static final class OnlyWork extends ClassLoader {
    private final ClassLoader program;

    OnlyWork(ClassLoader program) {
      super(Object.class.getClassLoader());
      this.program = program;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("SweepLoop")) {
        throw new ClassNotFoundException(name);
      }
      return program.loadClass(name);
    }
  }

  private static void churn() {
    while (true) {
      Object[] kept = new Object[64];
      for (int i = 0; i < 4000; i++) {
        kept[i % kept.length] = new int[64];
      }
      garbage = kept;
      Runtime.getRuntime().gc();
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
