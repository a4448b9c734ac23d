// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The Java 8 language: what javac makes of it must run. */
public class Language {
  enum Color {
    RED,
    GREEN {
      @Override
      String mood() {
        return "calm";
      }
    },
    BLUE;

    String mood() {
      return name().toLowerCase();
    }
  }

  interface Shape {
    double area();

    default String describe() {
      return getClass().getSimpleName() + " of " + area();
    }

    static Shape unit() {
      return new Square(1);
    }
  }

  static class Square implements Shape {
    final double side;

    Square(double side) {
      this.side = side;
    }

    @Override
    public double area() {
      return side * side;
    }
  }

  static class Resource implements AutoCloseable {
    final String name;

    Resource(String name) {
      this.name = name;
      System.out.println("open " + name);
    }

    @Override
    public void close() throws Exception {
      System.out.println("close " + name);
      if (name.equals("bad")) {
        throw new Exception("close failed");
      }
    }
  }

  class Inner {
    int twice() {
      return 2 * number;
    }
  }

  int number = 21;

  static <T extends Comparable<T>> T largest(List<? extends T> list) {
    T best = null;
    for (T each : list) {
      best = best == null || each.compareTo(best) > 0 ? each : best;
    }
    return best;
  }

  static int sum(int... numbers) {
    int total = 0;
    for (int number : numbers) {
      total += number;
    }
    return total;
  }

  static String classify(String word) {
    switch (word) {
      case "Aa":
      case "BB":
        return "same hash";
      case "hello":
        return "greeting";
      default:
        return "other";
    }
  }

  static int finallyOrder() {
    int value = 1;
    try {
      value = 2;
      throw new IllegalStateException("x");
    } catch (IllegalStateException | IllegalArgumentException exception) {
      value = 3;
      return value;
    } finally {
      value = 4;
      System.out.println("finally " + value);
    }
  }

  static class Node<T> implements Iterable<T> {
    final T value;
    final Node<T> next;

    Node(T value, Node<T> next) {
      this.value = value;
      this.next = next;
    }

    @Override
    public Iterator<T> iterator() {
      return new Iterator<T>() {
        Node<T> at = Node.this;

        @Override
        public boolean hasNext() {
          return at != null;
        }

        @Override
        public T next() {
          T result = at.value;
          at = at.next;
          return result;
        }
      };
    }
  }

  public static void main(String[] args) throws Exception {
    for (Color color : Color.values()) {
      switch (color) {
        case RED:
          System.out.println("stop " + color.mood());
          break;
        default:
          System.out.println(color + " " + color.ordinal() + " " + color.mood() + " " + color.getDeclaringClass());
      }
    }
    System.out.println(Color.valueOf("BLUE").compareTo(Color.RED));
    try {
      Color.valueOf("PINK");
    } catch (IllegalArgumentException exception) {
      System.out.println("no pink");
    }
    System.out.println(Shape.unit().describe() + " " + new Square(3).describe());
    System.out.println(classify("Aa") + classify("BB") + classify("hello") + classify("C"));
    System.out.println(sum() + sum(1) + sum(1, 2, 3));
    System.out.println(largest(Arrays.asList(3, 9, 4)) + largest(Arrays.asList("b", "a")));
    System.out.println(finallyOrder());
    System.out.println(new Language().new Inner().twice());
    try (Resource a = new Resource("good");
        Resource b = new Resource("bad")) {
      System.out.println(a.name + b.name);
      throw new RuntimeException("body");
    } catch (Exception exception) {
      System.out.println(exception + " suppressed " + Arrays.toString(exception.getSuppressed()));
    }
    for (String word : new Node<>("x", new Node<>("y", null))) {
      System.out.print(word + " ");
    }
    Integer small = 127;
    Integer alsoSmall = 127;
    long wide = small + 1L;
    char letter = 'a';
    letter += 1;
    byte narrow = (byte) 200;
    System.out.println((small == alsoSmall) + " " + wide + letter + narrow + (5 / 2.0) + (-7 % 3) + (-7 >> 1) + (-7 >>> 28));
    int[][] grid = new int[3][4];
    grid[1][2] = 5;
    System.out.println(Arrays.deepToString(grid) + grid.getClass().getName() + new String[0].getClass().getSimpleName());
    Object object = new Object() {
      @Override
      public String toString() {
        return "anonymous" + args.length;
      }
    };
    System.out.println(object + " " + object.getClass().isAnonymousClass() + "|" + object.getClass().getSimpleName() + "|");
    outer:
    for (int i = 0; ; i++) {
      for (int j = 0; j < 3; j++) {
        if (i * j == 4) {
          System.out.println("found " + i + j);
          break outer;
        }
      }
    }
    try {
      assertOn();
      System.out.println("assertions are on");
    } catch (AssertionError error) {
      System.out.println("assertion: " + error.getMessage());
    }
    System.out.println((int) 3.99e20 + " " + (long) Double.NaN + " " + (int) -2.7f + " " + (char) 65 + " " + 1.0 / 0);
    List<Object> objects = new ArrayList<>(Arrays.asList(1, 2L, 3f, 4d, 'c', "s", true, null, (byte) 1, (short) 2));
    for (Object each : objects) {
      System.out.print((each == null ? "null" : each.getClass().getName()) + " ");
    }
    System.out.println();
    synchronized (object) {
      System.out.println(Thread.holdsLock(object));
    }
    String text = null;
    text += "x" + 1 + 'c' + 2.5f + true + null;
    System.out.println(text);
  }

  static void assertOn() {
    assert sum(1) == 2 : "one is not two";
  }
}
