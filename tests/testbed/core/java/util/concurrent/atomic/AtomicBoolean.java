// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

/** An atomic boolean. */
public class AtomicBoolean {
  private final AtomicInteger value;

  public AtomicBoolean() {
    this(false);
  }

  public AtomicBoolean(boolean value) {
    this.value = new AtomicInteger(value ? 1 : 0);
  }

  public final boolean get() {
    return value.get() != 0;
  }

  public final void set(boolean newValue) {
    value.set(newValue ? 1 : 0);
  }

  public final boolean getAndSet(boolean newValue) {
    return value.getAndSet(newValue ? 1 : 0) != 0;
  }

  public final boolean compareAndSet(boolean expected, boolean newValue) {
    return value.compareAndSet(expected ? 1 : 0, newValue ? 1 : 0);
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
