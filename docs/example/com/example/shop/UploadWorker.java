// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import android.content.Context;
import androidx.work.Worker;
import androidx.work.WorkerParameters;
import java.io.IOException;

/** Sends records home when WorkManager says so. */
public class UploadWorker extends Worker {
  static final String SERVER = "https://janks.example/records/";

  public UploadWorker(Context context, WorkerParameters parameters) {
    super(context, parameters);
  }

  @Override
  public Result doWork() {
    ShopApplication application = (ShopApplication) getApplicationContext();
    try {
      return Upload.sendAll(application.folder(), SERVER) ? Result.success() : Result.retry();
    } catch (IOException noNetwork) {
      return Result.retry();
    }
  }
}
