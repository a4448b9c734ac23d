// SPDX-License-Identifier: Apache-2.0
// The facade of libstillframe.so for Java and Kotlin.
package dev.stillframe;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Starts and controls the profiler of this process. Two lines start it:
 *
 * <pre>
 *   System.loadLibrary("stillframe"); // or Stillframe.load(), which a build without the profiler has as well
 *   Stillframe.start(getFilesDir() + "/stillframe");
 * </pre>
 *
 * <p>Loading the library installs nothing. After that every method may be called on any thread at any time. Only
 * {@link #dump} and {@link #await} wait for the profiler, and none throws. Before the library is loaded each throws an
 * UnsatisfiedLinkError. Names, units and bounds of settings: docs/reference/settings.md.
 */
public final class Stillframe {
  /** Result of a call; names and order as in stillframe_status of profiler.h. */
  public enum Status {
    /** Done. */
    OK,
    /** The profiler was not started, is switched off, found no VM, or this is the child of a fork. */
    NOT_STARTED,
    /** It is already running. */
    ALREADY_STARTED,
    /** The setting dump_dir is not set. */
    NO_DUMP_DIR,
    /** The log says why. */
    DUMP_FAILED,
    /** It did not end in time. */
    TIMED_OUT,
    /** The profiler's thread cannot be created. */
    NO_THREAD,
    /** Unknown name, value out of bounds, or null; the log says which. */
    BAD_ARGUMENT,
    /** The limit is reached. */
    TOO_MANY,
    /** This setting can only be set before the start. */
    TOO_LATE;

    private static final Status[] BY_NUMBER = values();
  }

  /** Called for dumps. */
  public interface Listener {
    /**
     * A dump was written, for whatever reason. Called on a thread of its own, afterwards: the application may still
     * hang. Exceptions are ignored.
     *
     * @param path the file
     */
    void onDump(String path);
  }

  /** Called for jank records. */
  public interface RecordListener {
    /**
     * A record was written, new or updated. Called on a thread of its own. After sending it, rename it from .json to
     * .sent, or remove it. Exceptions are ignored.
     *
     * @param path the file
     */
    void onRecord(String path);
  }

  private static final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
  private static Thread teller;
  private static final CopyOnWriteArrayList<RecordListener> recordListeners = new CopyOnWriteArrayList<>();
  private static Thread recordTeller;
  private static boolean readsExits;

  private Stillframe() {}

  /**
   * Loads libstillframe.so, like System.loadLibrary("stillframe"), and starts nothing.
   *
   * @return false if the application has none for this CPU
   */
  public static boolean load() {
    try {
      System.loadLibrary("stillframe");
      return true;
    } catch (LinkageError absent) {
      return false;
    }
  }

  /**
   * Starts the profiler, or resumes sampling after {@link #stop}. Returns at once; {@link #state} reports the progress.
   * Without the setting dump_dir there are no dumps.
   *
   * @return OK, ALREADY_STARTED, NO_THREAD, or NOT_STARTED: enabled=0, control group, child of a fork, or another copy
   *     of the profiler runs
   */
  public static Status start() {
    return Status.BY_NUMBER[nativeStart(null)];
  }

  /**
   * Like {@link #start()}, with dumps in this folder, which is created if only its last part is missing.
   *
   * @param dumpDir a folder of the application's own; null: none
   * @return like {@link #start()}, or BAD_ARGUMENT
   */
  public static Status start(String dumpDir) {
    return Status.BY_NUMBER[nativeStart(dumpDir)];
  }

  /**
   * Stops sampling. Messages are still recorded, and dumps written.
   *
   * @return OK or NOT_STARTED
   */
  public static Status stop() {
    return Status.BY_NUMBER[nativeStop()];
  }

  /**
   * Sets one setting, before or after the start.
   *
   * @param name as in docs/production.md, such as "slow_ms"
   * @param value as in docs/production.md, such as "20"
   * @return OK, BAD_ARGUMENT, or TOO_LATE for one that can only be set before the start
   */
  public static Status configure(String name, String value) {
    return Status.BY_NUMBER[nativeConfigure(name, value)];
  }

  /**
   * Applies a settings document, before or after the start. It replaces the previous document; of documents and calls
   * the newest wins. {@code "enabled": false} is in force on return. An invalid value is skipped, with a line
   * in the log; an invalid document changes nothing.
   *
   * @param json as in docs/production.md
   * @return OK or BAD_ARGUMENT
   */
  public static Status configureDocument(String json) {
    return Status.BY_NUMBER[nativeConfigureDocument(json == null ? null : json.getBytes(StandardCharsets.UTF_8))];
  }

  /**
   * Identifies this install for cohorts of documents, and for records, sessions and dumps.
   *
   * @param installId a random id of this install, kept by the application; ASCII; null: none
   * @param versionCode the application's; below 0: none
   */
  public static void identify(String installId, long versionCode) {
    nativeIdentify(installId, versionCode);
  }

  /**
   * Waits until the profiler is on, or is known to stay off. Messages from then on are watched.
   *
   * @param timeoutMs in milliseconds; below 0 counts as 0
   * @return OK, even if it stays off; TIMED_OUT or NOT_STARTED
   */
  public static Status await(int timeoutMs) {
    return Status.BY_NUMBER[nativeAwait(Math.max(timeoutMs, 0))];
  }

  /**
   * Writes a dump and waits for it, at most 5 seconds.
   *
   * @return its file, or null if there is none; the log says why
   */
  public static String dump() {
    return nativeDump();
  }

  /**
   * Sets a fact about the application for later dumps; the newest 32 are kept. Works before the start.
   *
   * @param name at most 64 bytes of UTF-8
   * @param value at most 256 bytes of UTF-8; null removes the fact
   * @return OK, or BAD_ARGUMENT if `name` is null or empty
   */
  public static Status annotate(String name, String value) {
    return Status.BY_NUMBER[nativeAnnotate(name, value)];
  }

  /**
   * Sets the current screen, such as the visible activity. Works before the start.
   *
   * @param scene at most 256 bytes of UTF-8; null: none
   */
  public static void scene(String scene) {
    nativeScene(scene);
  }

  /**
   * Watches the calling thread's Looper from its next message on. The main thread's is always watched.
   *
   * @return OK, TOO_MANY or NOT_STARTED
   */
  public static Status watchLooper() {
    return Status.BY_NUMBER[nativeWatchLooper()];
  }

  /**
   * Whether an install is enrolled in an experiment: a pure function of a published hash (docs/production.md), equal in
   * every release. An enrolled install stays enrolled when the percentage grows. Starts nothing.
   *
   * @param installId a random id of this install, kept by the application; ASCII
   * @param salt the experiment's name; ASCII
   * @param percent of all installs, from 0 to 100
   * @return false also for null, and for a percentage out of bounds
   */
  public static boolean isEnrolled(String installId, String salt, double percent) {
    return nativeIsEnrolled(installId, salt, percent);
  }

  /**
   * The profiler's state.
   *
   * @return "on", "on, " with what is missing, or in a few words why no samples are taken
   */
  public static String state() {
    return nativeState();
  }

  /**
   * The tag for the application's own metrics. "control": in the control group (control_percent), without profiler.
   * "sampled": started, whatever happened since. "out": not started, or switched off since the start. Fixed from
   * {@link #start} until the process ends.
   *
   * @return "sampled", "control" or "out"
   */
  public static String group() {
    return nativeGroup();
  }

  /**
   * The library's version.
   *
   * @return such as "0.1.0"
   */
  public static String version() {
    return nativeVersion();
  }

  /**
   * Calls this listener for each dump from now on. The first listener starts the calling thread, which waits without
   * wake-ups and stays.
   *
   * @param listener not null; one added twice is called twice
   */
  public static synchronized void addListener(Listener listener) {
    listeners.add(listener);
    if (teller == null) {
      int known = nativeNewestDump();
      teller = new Thread(() -> tell(known), "stillframe-java");
      teller.setDaemon(true);
      teller.start();
    }
  }

  /**
   * Stops calling this listener, except for a dump that is being reported at this moment.
   *
   * @param listener as given to {@link #addListener}
   */
  public static synchronized void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * Calls this listener for each jank record written from now on, new or updated. The first listener starts the calling
   * thread, which waits without wake-ups and stays.
   *
   * @param listener not null; one added twice is called twice
   */
  public static synchronized void addRecordListener(RecordListener listener) {
    recordListeners.add(listener);
    if (recordTeller == null) {
      int known = nativeNewestRecord();
      recordTeller = new Thread(() -> tellOfRecords(known), "stillframe-rec");
      recordTeller.setDaemon(true);
      recordTeller.start();
    }
  }

  /**
   * Stops calling this listener, except for a record that is being reported at this moment.
   *
   * @param listener as given to {@link #addRecordListener}
   */
  public static synchronized void removeRecordListener(RecordListener listener) {
    recordListeners.remove(listener);
  }

  /**
   * Reads how the system says that earlier processes of this application ended (ApplicationExitInfo, API level 30 on),
   * and joins this with their records: reason, description, importance, memory. An ANR without a record leaves one with
   * the system's own stacks. Reads once, on a thread of its own, after the start, and only if records are on (janks).
   *
   * <p>Sets the summary of this process (ActivityManager.setProcessStateSummary), so that the next process knows it
   * again, unless the application sets one: an earlier process with a summary of its own tells so.
   *
   * @param context an android.content.Context; null: does nothing
   */
  public static synchronized void readExits(Object context) {
    if (context == null || readsExits) return;
    readsExits = true;
    Thread reader = new Thread(new ProcessExits(context), "stillframe-exit");
    reader.setDaemon(true);
    reader.start();
  }

  private static void tell(int known) {
    for (int number = known + 1; ; number++) {
      String path = nativeAwaitDump(number);
      if (path == null) {
        number = nativeNewestDump();
        continue;
      }
      for (Listener listener : listeners) {
        try {
          listener.onDump(path);
        } catch (Throwable dropped) {
          // The listener's problem: continue with the next one.
        }
      }
    }
  }

  private static void tellOfRecords(int known) {
    for (int number = known + 1; ; number++) {
      String path = nativeAwaitRecord(number);
      if (path == null) {
        number = nativeNewestRecord() - 1; // this thread was too slow
        continue;
      }
      for (RecordListener listener : recordListeners) {
        try {
          listener.onRecord(path);
        } catch (Throwable dropped) {
          // The listener's problem: continue with the next one.
        }
      }
    }
  }

  private static native int nativeStart(String dumpDir);

  private static native int nativeStop();

  private static native int nativeConfigure(String name, String value);

  private static native int nativeConfigureDocument(byte[] document);

  private static native void nativeIdentify(String installId, long versionCode);

  private static native int nativeAwait(int timeoutMs);

  private static native String nativeDump();

  private static native int nativeAnnotate(String name, String value);

  private static native void nativeScene(String scene);

  private static native int nativeWatchLooper();

  private static native boolean nativeIsEnrolled(String installId, String salt, double percent);

  private static native String nativeState();

  private static native String nativeGroup();

  private static native String nativeVersion();

  /** The number of the newest dump; 0: none. */
  private static native int nativeNewestDump();

  /** Waits for the dump of this number; null: no longer kept. */
  private static native String nativeAwaitDump(int number);

  /** The number of the newest record written; 0: none. */
  private static native int nativeNewestRecord();

  /** Waits for the record of this number; null: no longer kept. */
  private static native String nativeAwaitRecord(int number);

  /** Whether this exit was added before, or need not be. */
  static native boolean nativeKnowsExit(int pid, long timeMs);

  /** Adds an exit. The arrays have the members in the order in which ProcessExits and java_facade.cc name them. */
  static native void nativeAddExit(long[] numbers, String[] texts, byte[] summary, byte[] traces);

  /** The summary of this process. */
  static native byte[] nativeSummary();
}
