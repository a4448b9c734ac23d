package java.util.function;

/** Decides about values. */
@FunctionalInterface
public interface BiPredicate<T, U> {
  boolean test(T first, U second);
}
