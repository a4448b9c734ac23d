package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface Supplier<T> {
  T get();
}
