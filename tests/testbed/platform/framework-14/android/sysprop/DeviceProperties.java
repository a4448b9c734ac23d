// SPDX-License-Identifier: Apache-2.0
package android.sysprop;

import java.util.Optional;

/** Stands in for what Android's build generates of a .sysprop file: no property is set. */
public final class DeviceProperties {
  public static Optional<Integer> media_performance_class() { return Optional.empty(); }

  private DeviceProperties() {}
}
