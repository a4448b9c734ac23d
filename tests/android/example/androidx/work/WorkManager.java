// SPDX-License-Identifier: Apache-2.0
// A stub of Jetpack WorkManager, for the example: the names that it uses. It keeps the last work.
package androidx.work;

import android.content.Context;

public final class WorkManager {
  public static volatile Class<? extends Worker> enqueued;

  private WorkManager() {}

  public static WorkManager getInstance(Context context) {
    return new WorkManager();
  }

  public void enqueue(OneTimeWorkRequest request) {
    enqueued = request.worker;
  }
}
