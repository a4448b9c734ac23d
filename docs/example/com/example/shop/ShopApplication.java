// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import android.app.Activity;
import android.app.Application;
import android.content.SharedPreferences;
import android.os.Bundle;
import androidx.work.Constraints;
import androidx.work.NetworkType;
import androidx.work.OneTimeWorkRequest;
import androidx.work.WorkManager;
import dev.stillframe.Stillframe;
import java.io.File;
import java.util.UUID;

/** An application with Stillframe: settings, identity, screens, exits, upload. */
public class ShopApplication extends Application {
  private static final int VERSION_CODE = 42; // BuildConfig.VERSION_CODE

  @Override
  public void onCreate() {
    super.onCreate();
    if (!Stillframe.load()) return; // no library for this CPU, or the variant without the profiler
    SharedPreferences kept = getSharedPreferences("stillframe", MODE_PRIVATE);
    Stillframe.identify(installId(kept), VERSION_CODE);
    Stillframe.configure("janks", "1");
    String settings = kept.getString("settings", null); // as the server sent it last
    if (settings != null) Stillframe.configureDocument(settings);
    Stillframe.annotate("version_name", "4.2.0");
    Stillframe.start(folder().getPath());
    Stillframe.readExits(this);
    registerActivityLifecycleCallbacks(new Screens());
    scheduleUpload();
  }

  /** The folder of dumps and records. */
  File folder() {
    return new File(getFilesDir(), "stillframe");
  }

  /** Call it with what the server sends: {"enabled": false} stops everything at once. */
  void newSettings(String json) {
    if (Stillframe.configureDocument(json) != Stillframe.Status.OK) return;
    getSharedPreferences("stillframe", MODE_PRIVATE).edit().putString("settings", json).apply();
  }

  private static String installId(SharedPreferences kept) {
    String id = kept.getString("install", null);
    if (id == null) {
      id = UUID.randomUUID().toString();
      kept.edit().putString("install", id).apply();
    }
    return id;
  }

  /** Once a start, when there is a network that costs nothing. Covers what earlier processes left. */
  private void scheduleUpload() {
    Constraints unmetered = new Constraints.Builder().setRequiredNetworkType(NetworkType.UNMETERED).build();
    OneTimeWorkRequest work =
        new OneTimeWorkRequest.Builder(UploadWorker.class).setConstraints(unmetered).build();
    WorkManager.getInstance(this).enqueue(work);
  }

  /** Names the screen that is in front. */
  private static final class Screens implements ActivityLifecycleCallbacks {
    @Override
    public void onActivityResumed(Activity activity) {
      Stillframe.scene(activity.getClass().getSimpleName());
    }

    @Override
    public void onActivityPaused(Activity activity) {
      Stillframe.scene(null);
    }

    @Override
    public void onActivityCreated(Activity activity, Bundle state) {}

    @Override
    public void onActivityStarted(Activity activity) {}

    @Override
    public void onActivityStopped(Activity activity) {}

    @Override
    public void onActivitySaveInstanceState(Activity activity, Bundle state) {}

    @Override
    public void onActivityDestroyed(Activity activity) {}
  }
}
