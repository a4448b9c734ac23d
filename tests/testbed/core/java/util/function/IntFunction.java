package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface IntFunction<R> {
  R apply(int value);
}
