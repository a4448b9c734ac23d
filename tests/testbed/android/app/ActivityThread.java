// SPDX-License-Identifier: Apache-2.0
package android.app;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;

/**
 * The main thread of an application: its looper and the handler the system's messages go to.
 *
 * <p>What the platform reads from Binder records comes here as a {@link Runnable} in {@code obj}:
 * the work of the component the message is for. Each kind runs it in the method the platform has
 * for it, so that stacks read as they do on a device.
 */
public final class ActivityThread {
  private static volatile ActivityThread sCurrentActivityThread;
  static volatile Handler sMainThreadHandler;

  final Looper mLooper = Looper.myLooper();
  final H mH = new H();
  Application mInitialApplication;

  /**
   * Starts a process: makes this the main thread, binds the application whose class
   * {@code args[0]} names, when there is one, and loops for ever.
   */
  public static void main(String[] args) {
    final ActivityThread thread = attach();
    if (args.length > 0) {
      final String applicationClass = args[0];
      thread.mH.sendMessage(
          thread.mH.obtainMessage(H.BIND_APPLICATION, thread.new Binding(applicationClass)));
    }
    Looper.loop();
    throw new RuntimeException("Main thread loop unexpectedly exited");
  }

  /** The part of {@link #main} before its loop, for a program that loops itself. */
  public static ActivityThread attach() {
    Looper.prepareMainLooper();
    final ActivityThread thread = new ActivityThread();
    sCurrentActivityThread = thread;
    sMainThreadHandler = thread.mH;
    return thread;
  }

  /** The process's only one, or null before it is attached. */
  public static ActivityThread currentActivityThread() {
    return sCurrentActivityThread;
  }

  /** The process's application, or null before it is bound. */
  public static Application currentApplication() {
    final ActivityThread thread = sCurrentActivityThread;
    return thread == null ? null : thread.mInitialApplication;
  }

  /** The handler of the system's messages. */
  public Handler getHandler() {
    return mH;
  }

  /** The application that was bound, or null. */
  public Application getApplication() {
    return mInitialApplication;
  }

  private void handleBindApplication(Runnable work) {
    work.run();
  }

  private void handleReceiver(Runnable work) {
    work.run();
  }

  private void handleCreateService(Runnable work) {
    work.run();
  }

  private void handleServiceArgs(Runnable work) {
    work.run();
  }

  private void handleStopService(Runnable work) {
    work.run();
  }

  private void handleBindService(Runnable work) {
    work.run();
  }

  private void handleUnbindService(Runnable work) {
    work.run();
  }

  private void handleConfigurationChanged(Runnable work) {
    work.run();
  }

  private void executeTransaction(Runnable work) {
    work.run();
  }

  private void handleRelaunchActivity(Runnable work) {
    work.run();
  }

  /** Makes the application's object and calls it. */
  private final class Binding implements Runnable {
    private final String mClassName;

    Binding(String className) {
      mClassName = className;
    }

    @Override
    public void run() {
      try {
        mInitialApplication =
            (Application) ClassLoader.getSystemClassLoader().loadClass(mClassName).newInstance();
      } catch (ReflectiveOperationException e) {
        throw new RuntimeException("Unable to instantiate application " + mClassName, e);
      }
      mInitialApplication.onCreate();
    }

    @Override
    public String toString() {
      return "Binding{" + mClassName + "}";
    }
  }

  /**
   * Handles the system's messages. Codes as of Android 11 (AOSP 11,
   * core/java/android/app/ActivityThread.java).
   */
  public final class H extends Handler {
    public static final int BIND_APPLICATION = 110;
    public static final int EXIT_APPLICATION = 111;
    public static final int RECEIVER = 113;
    public static final int CREATE_SERVICE = 114;
    public static final int SERVICE_ARGS = 115;
    public static final int STOP_SERVICE = 116;
    public static final int CONFIGURATION_CHANGED = 118;
    public static final int CLEAN_UP_CONTEXT = 119;
    public static final int GC_WHEN_IDLE = 120;
    public static final int BIND_SERVICE = 121;
    public static final int UNBIND_SERVICE = 122;
    public static final int DUMP_SERVICE = 123;
    public static final int LOW_MEMORY = 124;
    public static final int PROFILER_CONTROL = 127;
    public static final int CREATE_BACKUP_AGENT = 128;
    public static final int DESTROY_BACKUP_AGENT = 129;
    public static final int SUICIDE = 130;
    public static final int REMOVE_PROVIDER = 131;
    public static final int DISPATCH_PACKAGE_BROADCAST = 133;
    public static final int SCHEDULE_CRASH = 134;
    public static final int DUMP_HEAP = 135;
    public static final int DUMP_ACTIVITY = 136;
    public static final int SLEEPING = 137;
    public static final int SET_CORE_SETTINGS = 138;
    public static final int UPDATE_PACKAGE_COMPATIBILITY_INFO = 139;
    public static final int DUMP_PROVIDER = 141;
    public static final int UNSTABLE_PROVIDER_DIED = 142;
    public static final int REQUEST_ASSIST_CONTEXT_EXTRAS = 143;
    public static final int TRANSLUCENT_CONVERSION_COMPLETE = 144;
    public static final int INSTALL_PROVIDER = 145;
    public static final int ON_NEW_ACTIVITY_OPTIONS = 146;
    public static final int ENTER_ANIMATION_COMPLETE = 149;
    public static final int START_BINDER_TRACKING = 150;
    public static final int STOP_BINDER_TRACKING_AND_DUMP = 151;
    public static final int LOCAL_VOICE_INTERACTION_STARTED = 154;
    public static final int ATTACH_AGENT = 155;
    public static final int APPLICATION_INFO_CHANGED = 156;
    public static final int RUN_ISOLATED_ENTRY_POINT = 158;
    public static final int EXECUTE_TRANSACTION = 159;
    public static final int RELAUNCH_ACTIVITY = 160;
    public static final int PURGE_RESOURCES = 161;
    public static final int ATTACH_STARTUP_AGENTS = 162;

    H() {
      super(mLooper);
    }

    /** The name of a code, as the platform's debug builds give it; else its digits. */
    public String codeToString(int code) {
      switch (code) {
        case BIND_APPLICATION:
          return "BIND_APPLICATION";
        case EXIT_APPLICATION:
          return "EXIT_APPLICATION";
        case RECEIVER:
          return "RECEIVER";
        case CREATE_SERVICE:
          return "CREATE_SERVICE";
        case SERVICE_ARGS:
          return "SERVICE_ARGS";
        case STOP_SERVICE:
          return "STOP_SERVICE";
        case CONFIGURATION_CHANGED:
          return "CONFIGURATION_CHANGED";
        case CLEAN_UP_CONTEXT:
          return "CLEAN_UP_CONTEXT";
        case GC_WHEN_IDLE:
          return "GC_WHEN_IDLE";
        case BIND_SERVICE:
          return "BIND_SERVICE";
        case UNBIND_SERVICE:
          return "UNBIND_SERVICE";
        case DUMP_SERVICE:
          return "DUMP_SERVICE";
        case LOW_MEMORY:
          return "LOW_MEMORY";
        case PROFILER_CONTROL:
          return "PROFILER_CONTROL";
        case CREATE_BACKUP_AGENT:
          return "CREATE_BACKUP_AGENT";
        case DESTROY_BACKUP_AGENT:
          return "DESTROY_BACKUP_AGENT";
        case SUICIDE:
          return "SUICIDE";
        case REMOVE_PROVIDER:
          return "REMOVE_PROVIDER";
        case DISPATCH_PACKAGE_BROADCAST:
          return "DISPATCH_PACKAGE_BROADCAST";
        case SCHEDULE_CRASH:
          return "SCHEDULE_CRASH";
        case DUMP_HEAP:
          return "DUMP_HEAP";
        case DUMP_ACTIVITY:
          return "DUMP_ACTIVITY";
        case SLEEPING:
          return "SLEEPING";
        case SET_CORE_SETTINGS:
          return "SET_CORE_SETTINGS";
        case UPDATE_PACKAGE_COMPATIBILITY_INFO:
          return "UPDATE_PACKAGE_COMPATIBILITY_INFO";
        case DUMP_PROVIDER:
          return "DUMP_PROVIDER";
        case UNSTABLE_PROVIDER_DIED:
          return "UNSTABLE_PROVIDER_DIED";
        case REQUEST_ASSIST_CONTEXT_EXTRAS:
          return "REQUEST_ASSIST_CONTEXT_EXTRAS";
        case TRANSLUCENT_CONVERSION_COMPLETE:
          return "TRANSLUCENT_CONVERSION_COMPLETE";
        case INSTALL_PROVIDER:
          return "INSTALL_PROVIDER";
        case ON_NEW_ACTIVITY_OPTIONS:
          return "ON_NEW_ACTIVITY_OPTIONS";
        case ENTER_ANIMATION_COMPLETE:
          return "ENTER_ANIMATION_COMPLETE";
        case START_BINDER_TRACKING:
          return "START_BINDER_TRACKING";
        case STOP_BINDER_TRACKING_AND_DUMP:
          return "STOP_BINDER_TRACKING_AND_DUMP";
        case LOCAL_VOICE_INTERACTION_STARTED:
          return "LOCAL_VOICE_INTERACTION_STARTED";
        case ATTACH_AGENT:
          return "ATTACH_AGENT";
        case APPLICATION_INFO_CHANGED:
          return "APPLICATION_INFO_CHANGED";
        case RUN_ISOLATED_ENTRY_POINT:
          return "RUN_ISOLATED_ENTRY_POINT";
        case EXECUTE_TRANSACTION:
          return "EXECUTE_TRANSACTION";
        case RELAUNCH_ACTIVITY:
          return "RELAUNCH_ACTIVITY";
        case PURGE_RESOURCES:
          return "PURGE_RESOURCES";
        case ATTACH_STARTUP_AGENTS:
          return "ATTACH_STARTUP_AGENTS";
        default:
          return Integer.toString(code);
      }
    }

    @Override
    public void handleMessage(Message msg) {
      if (msg.what == EXIT_APPLICATION) {
        Looper.myLooper().quit();
        return;
      }
      final Runnable work = (Runnable) msg.obj;
      switch (msg.what) {
        case BIND_APPLICATION:
          handleBindApplication(work);
          break;
        case RECEIVER:
          handleReceiver(work);
          break;
        case CREATE_SERVICE:
          handleCreateService(work);
          break;
        case SERVICE_ARGS:
          handleServiceArgs(work);
          break;
        case STOP_SERVICE:
          handleStopService(work);
          break;
        case BIND_SERVICE:
          handleBindService(work);
          break;
        case UNBIND_SERVICE:
          handleUnbindService(work);
          break;
        case CONFIGURATION_CHANGED:
          handleConfigurationChanged(work);
          break;
        case EXECUTE_TRANSACTION:
          executeTransaction(work);
          break;
        case RELAUNCH_ACTIVITY:
          handleRelaunchActivity(work);
          break;
        default: // the platform's other work has no part in the test bed
          if (work != null) {
            work.run();
          }
          break;
      }
    }
  }
}
