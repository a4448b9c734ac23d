package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface BooleanSupplier {
  boolean getAsBoolean();
}
