package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface DoubleSupplier {
  double getAsDouble();
}
