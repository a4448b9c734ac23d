package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface LongSupplier {
  long getAsLong();
}
