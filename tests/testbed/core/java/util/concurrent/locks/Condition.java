// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

/** Something that threads which hold a lock wait for. */
public interface Condition {
  void await() throws InterruptedException;

  void awaitUninterruptibly();

  /** The nanoseconds left, zero or less if the time passed. */
  long awaitNanos(long nanos) throws InterruptedException;

  boolean await(long time, TimeUnit unit) throws InterruptedException;

  void signal();

  void signalAll();
}
