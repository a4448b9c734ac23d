package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface IntToDoubleFunction {
  double applyAsDouble(int value);
}
