// SPDX-License-Identifier: Apache-2.0
package android.sysprop;

import java.util.Optional;

/** Stands in for what Android's build generates of a .sysprop file: no property is set. */
public final class MemoryProperties {
  public static Optional<String> memory_ddr_size() { return Optional.empty(); }

  private MemoryProperties() {}
}
