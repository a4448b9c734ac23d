// SPDX-License-Identifier: Apache-2.0
package android.sysprop;

import java.util.Optional;

/** Stands in for what Android's build generates of a .sysprop file: no property is set. */
public final class SocProperties {
  public static Optional<String> soc_manufacturer() { return Optional.empty(); }
  public static Optional<String> soc_model() { return Optional.empty(); }

  private SocProperties() {}
}
