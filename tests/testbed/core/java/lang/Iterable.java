// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.Iterator;
import java.util.function.Consumer;

/** Can be the target of a for-each loop. */
public interface Iterable<T> {
  Iterator<T> iterator();

  default void forEach(Consumer<? super T> action) {
    for (T element : this) {
      action.accept(element);
    }
  }
}
