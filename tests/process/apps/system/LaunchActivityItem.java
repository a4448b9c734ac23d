// SPDX-License-Identifier: Apache-2.0
package android.app.servertransaction;

import android.content.Intent;

/** Names of fields as in AOSP 9 to 16. */
public class LaunchActivityItem {
  public Intent mIntent;
}
