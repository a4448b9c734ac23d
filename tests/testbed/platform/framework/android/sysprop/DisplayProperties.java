// SPDX-License-Identifier: Apache-2.0
package android.sysprop;

import java.util.Optional;

/** In place of the class that Android's build generates: no property is set. */
public final class DisplayProperties {
  private DisplayProperties() {}

  public static Optional<Boolean> debug_force_rtl() {
    return Optional.empty();
  }

  public static Optional<Boolean> debug_layout() {
    return Optional.empty();
  }
}
