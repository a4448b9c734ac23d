// SPDX-License-Identifier: Apache-2.0
package androidx.lifecycle;

import java.util.ArrayList;
import java.util.List;

/** Observers that are notified at once, and may set values themselves. */
public final class LiveData {
  /** Is notified of each value. */
  public interface Observer {
    void onChanged(int value);
  }

  private final List<Observer> observers = new ArrayList<>();

  public void observe(Observer observer) {
    observers.add(observer);
  }

  public void setValue(int value) {
    dispatchingValue(value);
  }

  private void dispatchingValue(int value) {
    for (int i = 0; i < observers.size(); i++) {
      considerNotify(observers.get(i), value);
    }
  }

  private void considerNotify(Observer observer, int value) {
    observer.onChanged(value);
  }
}
