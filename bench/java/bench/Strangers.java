// SPDX-License-Identifier: Apache-2.0
package bench;

import dalvik.system.PathClassLoader;
import java.util.Comparator;

/**
 * The cost of one sample by our handler if no method repeats on the stack, and each has a class of
 * its own (one class, loaded repeatedly). Arguments: JAR [jitted].
 */
public final class Strangers {
  private static final int[] DEPTHS = {8, 32, 128};
  private static final int ROUNDS = 40;
  private static final int CALLS = 100;
  private static final int PAUSE_MS = 50;

  /** Calls the link at {@code index}. Too long to be inlined. */
  public static final class Link implements Comparator<Object> {
    static int sink;

    @Override
    @SuppressWarnings("unchecked")
    public int compare(Object links, Object index) {
      int next = (Integer) index;
      int value = next * 31;
      value = (value ^ value >>> 7) % 1009 + value / 3;
      value = (value ^ value >>> 5) % 2017 + value / 5;
      value = (value ^ value >>> 3) % 4033 + value / 7;
      ((Comparator<Object>) ((Object[]) links)[next]).compare(links, next + 1);
      sink = value;
      return value;
    }
  }

  /** Innermost frame: measures, or only lets the others be compiled. */
  private static final class Last implements Comparator<Object> {
    boolean measures;

    @Override
    public int compare(Object links, Object depth) {
      if (measures) {
        Natives.measureSamples((Integer) depth + 2, true);
      }
      return 0;
    }
  }

  private Strangers() {}

  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    Natives.prepareSampler();
    Last last = new Last();
    for (int depth : DEPTHS) {
      // The other frames are this one, the last link's and the native method's.
      Object[] links = new Object[depth - 2];
      for (int i = 0; i < depth - 3; i++) {
        ClassLoader loader = new PathClassLoader(args[0], Object.class.getClassLoader());
        links[i] = loader.loadClass("bench.Strangers$Link").newInstance();
      }
      links[depth - 3] = last;
      last.measures = false;
      for (int round = 0; args.length > 1 && round < ROUNDS; round++) {
        for (int call = 0; call < CALLS; call++) {
          first(links).compare(links, 1);
        }
        Thread.sleep(PAUSE_MS);
      }
      last.measures = true;
      first(links).compare(links, 1);
    }
  }

  @SuppressWarnings("unchecked")
  private static Comparator<Object> first(Object[] links) {
    return (Comparator<Object>) links[0];
  }
}
