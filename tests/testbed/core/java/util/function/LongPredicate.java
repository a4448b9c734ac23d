package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface LongPredicate {
  boolean test(long value);
}
