package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface DoubleFunction<R> {
  R apply(double value);
}
