package java.util.function;

/** Gives values. */
@FunctionalInterface
public interface IntSupplier {
  int getAsInt();
}
