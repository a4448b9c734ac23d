// SPDX-License-Identifier: Apache-2.0
package android.content;

/** Names of fields as in AOSP 8 to 16; nothing but the first two may come into a dump. */
public class Intent {
  private final String mAction;
  private final ComponentName mComponent;
  private final String mPackage = "secret.package";
  private final Object mExtras = new Object() {
    @Override
    public String toString() {
      throw new IllegalStateException("extras were looked at");
    }
  };

  public Intent(String action, ComponentName component) {
    mAction = action;
    mComponent = component;
  }

  @Override
  public String toString() {
    throw new IllegalStateException("an intent was asked for its text, " + mPackage + mExtras);
  }
}
