// SPDX-License-Identifier: Apache-2.0
package android.app.servertransaction;

import java.util.ArrayList;
import java.util.List;

/** Names of fields as in AOSP 9 to 14. */
public class ClientTransaction {
  public List<Object> mActivityCallbacks = new ArrayList<>();
  public ActivityLifecycleItem mLifecycleStateRequest;

  /** As the one that a transaction ends with. */
  public static final class ResumeActivityItem extends ActivityLifecycleItem {}
}
