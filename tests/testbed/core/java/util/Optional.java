// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A value or nothing. */
public final class Optional<T> {
  private static final Optional<?> EMPTY = new Optional<>(null);

  private final T value;

  private Optional(T value) {
    this.value = value;
  }

  @SuppressWarnings("unchecked")
  public static <T> Optional<T> empty() {
    return (Optional<T>) EMPTY;
  }

  public static <T> Optional<T> of(T value) {
    return new Optional<>(Objects.requireNonNull(value));
  }

  public static <T> Optional<T> ofNullable(T value) {
    return value == null ? empty() : of(value);
  }

  public boolean isPresent() {
    return value != null;
  }

  public boolean isEmpty() {
    return value == null;
  }

  public T get() {
    if (value == null) {
      throw new NoSuchElementException("No value present");
    }
    return value;
  }

  public void ifPresent(Consumer<? super T> action) {
    if (value != null) {
      action.accept(value);
    }
  }

  public Optional<T> filter(Predicate<? super T> condition) {
    return value == null || condition.test(value) ? this : empty();
  }

  public <U> Optional<U> map(Function<? super T, ? extends U> function) {
    return value == null ? empty() : ofNullable(function.apply(value));
  }

  public <U> Optional<U> flatMap(Function<? super T, Optional<U>> function) {
    return value == null ? empty() : function.apply(value);
  }

  public T orElse(T otherwise) {
    return value == null ? otherwise : value;
  }

  public T orElseGet(Supplier<? extends T> otherwise) {
    return value == null ? otherwise.get() : value;
  }

  public <X extends Throwable> T orElseThrow(Supplier<? extends X> exception) throws X {
    if (value == null) {
      throw exception.get();
    }
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Optional && Objects.equals(value, ((Optional<?>) other).value);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(value);
  }

  @Override
  public String toString() {
    return value == null ? "Optional.empty" : "Optional[" + value + "]";
  }
}
