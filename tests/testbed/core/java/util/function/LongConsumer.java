package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface LongConsumer {
  void accept(long value);
}
