package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface ToLongBiFunction<T, U> {
  long applyAsLong(T first, U second);
}
