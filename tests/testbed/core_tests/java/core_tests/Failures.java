// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/** Exceptions: traces with lines, causes, suppressed ones, and those the runtime itself throws. */
public class Failures {
  static class Special extends Exception {
    Special(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static int deep(int n) {
    if (n == 0) {
      throw new IllegalStateException("bottom");
    }
    return deep(n - 1) + 1;
  }

  static void wrapped() throws Special {
    try {
      deep(3);
    } catch (IllegalStateException exception) {
      throw new Special("wrapped", exception);
    }
  }

  interface Body {
    Object run() throws Throwable;
  }

  static void report(Body body) {
    try {
      System.out.println("no exception but " + body.run());
    } catch (Throwable exception) {
      StackTraceElement top = exception.getStackTrace()[0];
      System.out.println(exception.getClass().getName() + (top.getClassName().startsWith("core_tests") ? " at line " + top.getLineNumber() : ""));
    }
  }

  static int endless(int n) {
    return endless(n + 1) + 1;
  }

  static class Broken {
    static final int VALUE = Integer.parseInt("broken");
  }

  public static void main(String[] args) throws Exception {
    try {
      wrapped();
    } catch (Special exception) {
      StringWriter text = new StringWriter();
      exception.printStackTrace(new PrintWriter(text, true));
      System.out.print(text.toString().replace("\r", ""));
      System.out.println(exception.getMessage() + exception.getCause().getMessage() + exception.getStackTrace()[0].getMethodName() + exception.getStackTrace()[0].getFileName());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Exception withSuppressed = new IOException("main one");
    withSuppressed.addSuppressed(new RuntimeException("suppressed one"));
    withSuppressed.printStackTrace(new PrintStream(bytes, true));
    System.out.print(bytes.toString());
    Object nothing = args.length > 99 ? "" : null;
    Object text = "text";
    int[] array = new int[2];
    report(() -> nothing.toString());
    report(() -> array[2]);
    report(() -> array[-1]);
    report(() -> (Integer) text);
    report(() -> new int[args.length - 1 - args.length]);
    report(() -> {
      Object[] strings = new String[1];
      strings[0] = 1;
      return null;
    });
    report(() -> 1 / args.length);
    report(() -> {
      text.wait();
      return null;
    });
    report(() -> Class.forName("does.not.Exist"));
    report(() -> Broken.VALUE);
    report(() -> Broken.VALUE);
    report(() -> endless(0));
    report(() -> new Failures().clone());
    report(() -> {
      Thread.currentThread().interrupt();
      Thread.sleep(1000);
      return null;
    });
    report(() -> {
      java.util.Iterator<Integer> fixed = java.util.Collections.unmodifiableList(Arrays.asList(1, 2)).iterator();
      fixed.next();
      fixed.remove();
      return null;
    });
    report(() -> {
      long[][] big = new long[4000][];
      for (int i = 0; i < big.length; i++) {
        big[i] = new long[1 << 20];
      }
      return big;
    });
    Throwable chained = new Throwable("a").initCause(new Error("b"));
    System.out.println(chained + " " + chained.getCause() + new Exception(new Error("cause only")).getMessage() + new Exception().getMessage() + new AssertionError(5).getMessage());
    StackTraceElement[] custom = {new StackTraceElement("A", "b", "C.java", 7), new StackTraceElement("A", "n", null, -2)};
    chained.setStackTrace(custom);
    System.out.println(Arrays.toString(chained.getStackTrace()) + new Throwable().getStackTrace().length);
  }
}
