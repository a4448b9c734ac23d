// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Proves that code runs as a mode of art-run promises. args[0] is the library with the natives. Each further argument
 * is ids=indices, debuggable=yes, or ROLE=KIND.
 *
 * <p>ROLE: a "method" that is called often, a "loop" that is replaced while it runs, "core" code of the boot class
 * path. KIND is the code in which it must be seen in time: jit, application, boot or libart.
 */
public final class Modes {
  private static final long PATIENCE_NS = 30_000_000_000L;
  private static final long CALL_NS = 1_000_000_000L;
  private static final int CALLS_BETWEEN_LOOKS = 1000;

  /** Its only caller is code of the core library that is too long to be inlined into ours. */
  static final class Order implements Comparator<Object> {
    String caller;

    @Override
    public native int compare(Object left, Object right);
  }

  private static native String caller();

  private static native boolean idsAreIndices();

  private static native boolean isDebuggable();

  private static int sink;

  public static void main(String[] args) {
    System.load(args[0]);
    boolean right = true;
    for (int i = 1; i < args.length; i++) {
      String role = args[i].substring(0, args[i].indexOf('='));
      String wanted = args[i].substring(role.length() + 1);
      Map<String, Integer> seen = new TreeMap<>();
      long end = System.nanoTime() + PATIENCE_NS;
      if (role.equals("ids")) {
        add(seen, idsAreIndices() ? "indices" : "pointers");
      } else if (role.equals("debuggable")) {
        add(seen, isDebuggable() ? "yes" : "no");
      } else if (role.equals("loop")) {
        loop(wanted, seen, end);
      } else {
        Order order = new Order();
        Object[] array = {1, 2, 3, 4, 5, 6, 7, 8};
        do {
          if (role.equals("method")) {
            for (int call = 0; call < CALLS_BETWEEN_LOOKS; call++) {
              method(call, false);
            }
            add(seen, method(sink, true));
          } else {
            Arrays.sort(array, order);
            add(seen, order.caller);
          }
        } while (!seen.containsKey(wanted) && System.nanoTime() < end);
      }
      System.out.println(role + " " + seen.keySet());
      right &= seen.containsKey(wanted);
    }
    System.exit(right ? 0 : 1);
  }

  private static void add(Map<String, Integer> seen, String kind) {
    seen.put(kind, 1);
  }

  /** Its own code is where caller() returns to. */
  private static String method(int value, boolean look) {
    sink = value * 31 + 7;
    return look ? caller() : null;
  }

  /** A full code cache may refuse the code of a loop that runs, and is not asked again in the same call. */
  private static void loop(String wanted, Map<String, Integer> seen, long end) {
    do {
      seen.put(replacedWith(Math.min(end, System.nanoTime() + CALL_NS)), 1);
    } while (!seen.containsKey(wanted) && System.nanoTime() < end);
  }

  /**
   * The kind of code in which this call continues. If it is the JIT's, the call began in other code and its frame was
   * replaced.
   */
  private static String replacedWith(long end) {
    int value = sink;
    String first = caller();
    String now = first;
    while (now.equals(first) && System.nanoTime() < end) {
      for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
        value = value * 31 + i;
      }
      now = caller();
    }
    sink = value;
    return first.equals("jit") ? "jit from the start" : now;
  }
}
