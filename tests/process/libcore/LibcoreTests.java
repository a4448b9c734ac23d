// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs a class of JUnit 3 tests as one message of the main looper, again and again for a time, and writes the results
 * of each method: ok, failed or error, with the exception's class; all different ones if they change.
 *
 * <p>Usage: list FILE CLASS..., which writes each class's number of test methods, or run FILE MS CLASS [LIBRARY
 * RELEASE JAR], where the library's walker and ART compare the main thread's stack about every millisecond.
 */
public final class LibcoreTests {
  /** In the second round, a class whose initializer failed gives another exception than in the first. */
  private static final int MIN_ROUNDS = 2;

  private static final int MAX_ROUNDS = 100_000;

  /** Until the process ends: the profiler's threads get the message's samples ready. */
  private static final int REST_MS = 150;

  /** Results of OracleCheck's comparison; the last means that the thread did not stop. */
  private static final String[] COMPARISONS = {"equal", "different", "truncated", "not stopped"};

  private static final int[] COUNTS = new int[COMPARISONS.length];
  private static volatile boolean done;

  private LibcoreTests() {}

  public static void main(String[] args) throws Exception {
    PrintStream file = new PrintStream(args[1]);
    if (args[0].equals("list")) {
      for (int i = 2; i < args.length; i++) {
        file.println(args[i] + "\t" + methods(args[i]).size());
      }
      file.close();
      System.exit(0);
    }
    long ms = Long.parseLong(args[2]);
    String name = args[3];
    Thread comparing = args.length > 4 ? compare(args[4], args[5], args[6]) : null;
    Looper.prepareMainLooper();
    new Handler().post(
        () -> {
          Map<String, Set<String>> results = new LinkedHashMap<>();
          int rounds = rounds(name, ms, results);
          write(file, name, rounds, results, comparing);
          // Tests may leave threads behind.
          new Handler().postDelayed(() -> System.exit(0), REST_MS);
        });
    Looper.loop();
  }

  private static int rounds(String name, long ms, Map<String, Set<String>> results) {
    long end = System.nanoTime() + ms * 1000000;
    int rounds = 0;
    do {
      for (Method method : methods(name).values()) {
        results.computeIfAbsent(method.getName(), key -> new LinkedHashSet<>()).add(result(method, name));
      }
      rounds++;
    } while (rounds < MIN_ROUNDS || (System.nanoTime() < end && rounds < MAX_ROUNDS));
    return rounds;
  }

  private static void write(
      PrintStream file, String name, int rounds, Map<String, Set<String>> results, Thread comparing) {
    done = true;
    if (comparing != null) {
      try {
        comparing.join();
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
      for (int i = 0; i < COUNTS.length; i++) {
        file.println("stacks\t" + COMPARISONS[i] + "\t" + COUNTS[i]);
      }
      file.println("first\t" + OracleCheck.firstDifference());
    }
    file.println("rounds\t" + rounds);
    for (Map.Entry<String, Set<String>> entry : results.entrySet()) {
      file.println("result\t" + name + "\t" + entry.getKey() + "\t" + String.join("|", entry.getValue()));
    }
    file.close();
  }

  /** Public methods without arguments whose name starts with test, by name, of a class that can be created. */
  private static Map<String, Method> methods(String name) {
    Map<String, Method> methods = new TreeMap<>();
    try {
      Class<?> type = Class.forName(name, false, LibcoreTests.class.getClassLoader());
      Class<?> test = Class.forName("junit.framework.TestCase");
      if (!Modifier.isAbstract(type.getModifiers()) && test.isAssignableFrom(type)) {
        for (Method method : type.getMethods()) {
          if (method.getName().startsWith("test") && method.getParameterTypes().length == 0
              && method.getReturnType() == void.class) {
            methods.put(method.getName(), method);
          }
        }
      }
    } catch (ClassNotFoundException | LinkageError missing) {
      System.err.println(name + ": " + missing);
    }
    return methods;
  }

  private static String result(Method method, String name) {
    Throwable thrown;
    try {
      Object test = create(Class.forName(name), method.getName());
      test.getClass().getMethod("setName", String.class).invoke(test, method.getName());
      test.getClass().getMethod("runBare").invoke(test);
      return "ok";
    } catch (InvocationTargetException failed) {
      thrown = failed.getCause();
    } catch (ReflectiveOperationException | LinkageError failed) {
      thrown = failed;
    }
    return (thrown instanceof AssertionError ? "failed " : "error ") + thrown.getClass().getName();
  }

  private static Object create(Class<?> type, String method) throws ReflectiveOperationException {
    try {
      return type.getConstructor().newInstance();
    } catch (NoSuchMethodException named) {
      return type.getConstructor(String.class).newInstance(method);
    }
  }

  /** Starts a thread that stops the main thread at safepoints. To be called on the main thread. */
  private static Thread compare(String library, String release, String jar) throws Exception {
    System.load(library);
    Method bind = OracleCheck.class.getDeclaredMethod("bind");
    bind.setAccessible(true);
    bind.invoke(null);
    ClassLoader uncompiled = new dalvik.system.PathClassLoader(jar, Object.class.getClassLoader());
    if (!OracleCheck.open(release, uncompiled.loadClass("OracleCheck$Probe"))) {
      throw new IOException("the oracle does not know this ART");
    }
    Thread thread =
        new Thread(
            () -> {
              while (!done) {
                COUNTS[OracleCheck.compareSuspended()]++;
                try {
                  Thread.sleep(1);
                } catch (InterruptedException alsoFine) {
                  continue;
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
