// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** ART's StackVisitor, as the oracle calls it, sees what stack traces show. args[0] is the library with the natives. */
public final class OracleStack {
  private interface Place {
    String[] stack() throws InterruptedException;
  }

  private static final Object LOCK = new Object();
  private static volatile int waitingId;

  private static native boolean open();

  private static native String[] ownStack();

  private static native int ownId();

  private static native String[] stackOf(int id);

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    if (!open()) {
      throw new IllegalStateException("the oracle does not know this ART");
    }
    for (int depth = 0; depth < 40; depth += 13) {
      compareOwn(depth);
    }
    compareOther();
  }

  /** The oracle's answer comes last, so that both are taken in one call; the native's own frame is dropped. */
  private static void compareOwn(int depth) throws InterruptedException {
    List<String> expected = new ArrayList<>();
    String[] actual = descend(depth, () -> {
      for (StackTraceElement element : new Throwable().getStackTrace()) {
        expected.add(element.getClassName() + "." + element.getMethodName());
      }
      return ownStack();
    });
    compare("OracleStack.ownStack", expected, actual);
  }

  private static void compareOther() throws InterruptedException {
    Thread waiting = new Thread(() -> {
      try {
        descend(7, OracleStack::waitHere);
      } catch (InterruptedException done) {
        return;
      }
    });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    List<String> expected = new ArrayList<>();
    for (StackTraceElement element : waiting.getStackTrace()) {
      expected.add(element.getClassName() + "." + element.getMethodName());
    }
    String[] actual = stackOf(waitingId);
    waiting.interrupt();
    waiting.join();
    compare(null, expected, actual);
  }

  private static String[] waitHere() throws InterruptedException {
    waitingId = ownId();
    synchronized (LOCK) {
      while (true) {
        LOCK.wait();
      }
    }
  }

  private static String[] descend(int depth, Place place) throws InterruptedException {
    return depth == 0 ? place.stack() : descend(depth - 1, place);
  }

  private static void compare(String innermost, List<String> expected, String[] pretty) {
    List<String> actual = new ArrayList<>();
    for (String method : pretty) {
      // "int com.foo.Bar.baz(java.lang.String)"
      String name = method.substring(0, method.indexOf('('));
      actual.add(name.substring(name.lastIndexOf(' ') + 1));
    }
    if (innermost != null) {
      expected.add(0, innermost);
    }
    if (!actual.equals(expected)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }
}
