// SPDX-License-Identifier: Apache-2.0
package android.content;

/** Names of fields as in AOSP 8 to 16. */
public final class ComponentName {
  private final String mPackage;
  private final String mClass;

  public ComponentName(String packageName, String className) {
    mPackage = packageName;
    mClass = className;
  }

  @Override
  public String toString() {
    return mPackage + "/" + mClass;
  }
}
