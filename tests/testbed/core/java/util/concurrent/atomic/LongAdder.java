// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.atomic;

/** A sum that many threads add to. */
public class LongAdder extends AtomicLong {
  public void add(long delta) {
    getAndAdd(delta);
  }

  public void increment() {
    add(1);
  }

  public void decrement() {
    add(-1);
  }

  public long sum() {
    return get();
  }

  public void reset() {
    set(0);
  }

  public long sumThenReset() {
    return getAndSet(0);
  }
}
