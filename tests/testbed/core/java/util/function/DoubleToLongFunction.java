package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface DoubleToLongFunction {
  long applyAsLong(double value);
}
