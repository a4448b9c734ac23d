// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Lambdas and method references of all kinds, with captures, boxing and widening. */
public class Lambdas {
  private final String prefix;

  Lambdas(String prefix) {
    this.prefix = prefix;
  }

  private String join(String text) {
    return prefix + text;
  }

  Supplier<String> capturing(String text, long number, double fraction) {
    return () -> join(text) + number + fraction;
  }

  UnaryOperator<String> bound() {
    return this::join;
  }

  static class Base {
    protected String name() {
      return "base";
    }
  }

  static class Derived extends Base {
    @Override
    protected String name() {
      return "derived";
    }

    Supplier<String> ofSuper() {
      return super::name;
    }

    Supplier<String> ofThis() {
      return this::name;
    }
  }

  interface Greeter {
    String greet(String name);

    default Greeter twice() {
      return name -> greet(greet(name));
    }

    static Greeter polite() {
      return name -> "dear " + name;
    }
  }

  static int recursive(int n) {
    IntFunction<Integer> below = k -> k <= 1 ? 1 : k * recursive(k - 1);
    return below.apply(n);
  }

  private static long staticPrivate(long x) {
    return x + 1;
  }

  static String varargs(Object... values) {
    return Arrays.toString(values);
  }

  public static void main(String[] args) throws Exception {
    int local = 5;
    IntSupplier captured = () -> local * 2;
    System.out.println(captured.getAsInt());
    System.out.println(new Lambdas("p:").capturing("x", 7L, 2.5).get());
    System.out.println(new Lambdas("q:").bound().apply("y"));
    System.out.println(new Derived().ofSuper().get() + new Derived().ofThis().get());
    System.out.println(Greeter.polite().twice().greet("Ann"));
    System.out.println(recursive(6));
    Function<String, Integer> length = String::length;
    ToIntFunction<String> primitiveLength = String::length;
    Function<Integer, Integer> boxed = Math::abs;
    IntBinaryOperator maximum = Math::max;
    BinaryOperator<Integer> boxedMaximum = Math::max;
    LongFunction<Long> widened = Lambdas::staticPrivate;
    Function<Integer, Long> intToLong = x -> (long) x;
    Supplier<List<String>> constructor = ArrayList::new;
    IntFunction<int[]> arrayConstructor = int[]::new;
    Function<String, StringBuilder> withArgument = StringBuilder::new;
    BiFunction<String, String, Boolean> unbound = String::equals;
    Function<Object, String> variable = Lambdas::varargs;
    Consumer<String> ignoresResult = new ArrayList<String>()::add;
    Callable<Integer> callable = () -> 42;
    Runnable nested = () -> {
      Runnable inner = () -> System.out.println("inner " + local);
      inner.run();
    };
    System.out.println(length.apply("four") + primitiveLength.applyAsInt("three") + boxed.apply(-3));
    System.out.println(maximum.applyAsInt(3, 4) + boxedMaximum.apply(8, 2) + widened.apply(9L) + intToLong.apply(1));
    System.out.println(constructor.get().size() + arrayConstructor.apply(3).length + "" + withArgument.apply("sb"));
    System.out.println(unbound.apply("a", "a") + variable.apply("v"));
    ignoresResult.accept("dropped");
    System.out.println(callable.call());
    nested.run();
    Predicate<String> empty = String::isEmpty;
    System.out.println(empty.negate().and(s -> s.length() < 3).or(s -> s.equals("long enough")).test("ab"));
    IntPredicate even = n -> n % 2 == 0;
    System.out.println(even.test(4) + " " + even.negate().test(4));
    List<String> words = new ArrayList<>(Arrays.asList("pear", "fig", "apple", "date", "kiwi"));
    words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
    System.out.println(words);
    words.sort(Comparator.comparingInt(String::length).reversed().thenComparing(Function.identity()));
    System.out.println(words);
    words.removeIf(word -> word.indexOf('i') >= 0);
    words.replaceAll(String::toUpperCase);
    words.forEach(word -> System.out.print(word + ";"));
    System.out.println();
    Runnable serializable = (Runnable & java.io.Serializable) () -> System.out.println("marked");
    serializable.run();
    System.out.println(serializable instanceof java.io.Serializable);
    Object[] state = {0};
    Thread thread = new Thread(() -> state[0] = "changed");
    thread.start();
    thread.join();
    System.out.println(state[0]);
  }
}
