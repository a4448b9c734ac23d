// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Elements in the order of their processing. */
public interface Queue<E> extends Collection<E> {
  boolean offer(E element);

  E remove();

  E poll();

  E element();

  E peek();
}
