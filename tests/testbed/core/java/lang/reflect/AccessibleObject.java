// SPDX-License-Identifier: Apache-2.0
package java.lang.reflect;

/** A member whose access check can be switched off. ART reads {@link #override}. */
public class AccessibleObject {
  private boolean override;

  protected AccessibleObject() {}

  public void setAccessible(boolean accessible) {
    override = accessible;
  }

  public boolean isAccessible() {
    return override;
  }
}
