package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface ToDoubleFunction<T> {
  double applyAsDouble(T value);
}
