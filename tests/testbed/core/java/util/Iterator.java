// SPDX-License-Identifier: Apache-2.0
package java.util;

import java.util.function.Consumer;

/** Visits the elements of a collection once. */
public interface Iterator<E> {
  boolean hasNext();

  E next();

  default void remove() {
    throw new UnsupportedOperationException("remove");
  }

  default void forEachRemaining(Consumer<? super E> action) {
    while (hasNext()) {
      action.accept(next());
    }
  }
}
