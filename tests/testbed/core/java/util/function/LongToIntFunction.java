package java.util.function;

/** Maps values to results. */
@FunctionalInterface
public interface LongToIntFunction {
  int applyAsInt(long value);
}
