// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A queue whose users may wait for elements or for space. */
public interface BlockingQueue<E> extends java.util.Queue<E> {
  void put(E element) throws InterruptedException;

  boolean offer(E element, long time, TimeUnit unit) throws InterruptedException;

  E take() throws InterruptedException;

  E poll(long time, TimeUnit unit) throws InterruptedException;

  int remainingCapacity();

  int drainTo(java.util.Collection<? super E> target);

  int drainTo(java.util.Collection<? super E> target, int limit);
}
