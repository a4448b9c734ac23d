// SPDX-License-Identifier: Apache-2.0
package android.sysprop;

import java.util.Collections;
import java.util.List;

/** Stands in for what Android's build generates of a .sysprop file: no property is set. */
public final class TelephonyProperties {
  public static List<String> baseband_version() { return Collections.emptyList(); }

  private TelephonyProperties() {}
}
