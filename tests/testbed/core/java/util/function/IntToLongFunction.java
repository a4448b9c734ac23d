package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface IntToLongFunction {
  long applyAsLong(int value);
}
