// SPDX-License-Identifier: Apache-2.0
package android.content.pm;

/** Names of fields as in AOSP 8 to 16, where they are PackageItemInfo's. */
public class ServiceInfo {
  public String name;
  public String packageName;

  public ServiceInfo(String packageName, String name) {
    this.packageName = packageName;
    this.name = name;
  }
}
