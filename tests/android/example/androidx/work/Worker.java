// SPDX-License-Identifier: Apache-2.0
// A stub of Jetpack WorkManager, for the example: the names that it uses.
package androidx.work;

import android.content.Context;

public abstract class Worker {
  private final Context context;

  public Worker(Context context, WorkerParameters parameters) {
    this.context = context;
  }

  public final Context getApplicationContext() {
    return context;
  }

  public abstract Result doWork();

  public static final class Result {
    private final String name;

    private Result(String name) {
      this.name = name;
    }

    public static Result success() {
      return new Result("success");
    }

    public static Result retry() {
      return new Result("retry");
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
