// SPDX-License-Identifier: Apache-2.0
package android.content.pm;

/** Facts of an installed application; names as in AOSP 11. */
public class ApplicationInfo {
  public String packageName;
  public int versionCode;

  /** @hide */
  public long longVersionCode;
}
