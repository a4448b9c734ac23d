package java.util.function;

/** Takes values. */
@FunctionalInterface
public interface ObjIntConsumer<T> {
  void accept(T object, int value);
}
