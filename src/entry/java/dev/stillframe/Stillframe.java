// SPDX-License-Identifier: Apache-2.0
// The facade of libstillframe.so for Java and Kotlin.
package dev.stillframe;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Starts and steers the profiler of this process. Two lines start it:
 *
 * <pre>
 *   System.loadLibrary("stillframe"); // or Stillframe.load(), which a build without the profiler has as well
 *   Stillframe.start(getFilesDir() + "/stillframe");
 * </pre>
 *
 * <p>Loading the library installs nothing. Every method may be called on any thread, at any time after that; none but
 * {@link #dump} and {@link #await} waits for the profiler, and none throws. Before the library is loaded each throws an
 * UnsatisfiedLinkError. Names, units and bounds of settings are those of docs/reference/settings.md.
 */
public final class Stillframe {
  /** What came of a call; the names are those of stillframe_status in profiler.h, in their order. */
  public enum Status {
    /** It is done. */
    OK,
    /** Nobody has started the profiler, or it is switched off, has found no VM, or was forked away from. */
    NOT_STARTED,
    /** It runs already. */
    ALREADY_STARTED,
    /** The setting dump_dir is not set. */
    NO_DUMP_DIR,
    /** The log says why. */
    DUMP_FAILED,
    /** It did not come to an end in time. */
    TIMED_OUT,
    /** The profiler's thread cannot be created. */
    NO_THREAD,
    /** An unknown name, a value out of bounds, or null; the log says which. */
    BAD_ARGUMENT,
    /** There is no room for one more. */
    TOO_MANY,
    /** This setting can be set before the start only. */
    TOO_LATE;

    private static final Status[] BY_NUMBER = values();
  }

  /** Hears of dumps. */
  public interface Listener {
    /**
     * A dump is in its file, whatever asked for it. Called on a thread of its own, after the fact: the application may
     * still hang. What it throws is dropped.
     *
     * @param path the file
     */
    void onDump(String path);
  }

  /** Hears of records of janks. */
  public interface RecordListener {
    /**
     * A record is in its file, at first or anew. Called on a thread of its own. Who has sent it renames it from .json to
     * .sent, or removes it. What it throws is dropped.
     *
     * @param path the file
     */
    void onRecord(String path);
  }

  private static final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
  private static Thread teller;
  private static final CopyOnWriteArrayList<RecordListener> recordListeners = new CopyOnWriteArrayList<>();
  private static Thread recordTeller;

  private Stillframe() {}

  /**
   * Loads libstillframe.so, as System.loadLibrary("stillframe") does, and starts nothing.
   *
   * @return false where the application has none for this CPU
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
   * Starts the profiler, and samples again after {@link #stop}. Returns at once; {@link #state} tells how far it got.
   * Without the setting dump_dir nothing is dumped.
   *
   * @return OK, ALREADY_STARTED, NOT_STARTED with the setting enabled=0, in the control group, in a forked child or where another
   *     copy of the profiler is at work, or NO_THREAD
   */
  public static Status start() {
    return Status.BY_NUMBER[nativeStart(null)];
  }

  /**
   * As {@link #start()}, with dumps in this folder, which is created when only its last part is missing.
   *
   * @param dumpDir a folder of the application's own; null is none
   * @return as {@link #start()}, or BAD_ARGUMENT
   */
  public static Status start(String dumpDir) {
    return Status.BY_NUMBER[nativeStart(dumpDir)];
  }

  /**
   * Samples no more; messages are still recorded, and dumps are written.
   *
   * @return OK or NOT_STARTED
   */
  public static Status stop() {
    return Status.BY_NUMBER[nativeStop()];
  }

  /**
   * Sets one setting, before the start or after it.
   *
   * @param name as in docs/reference/settings.md, such as "slow_ms"
   * @param value as in docs/reference/settings.md, such as "20"
   * @return OK, BAD_ARGUMENT, or TOO_LATE for one that can be set before the start only
   */
  public static Status configure(String name, String value) {
    return Status.BY_NUMBER[nativeConfigure(name, value)];
  }

  /**
   * Sets what a document of settings says, before the start or after it. It takes the place of the document before; of
   * documents and calls the newest counts. {@code "enabled": false} takes effect before this returns. A rule or a value
   * that is wrong is left out, with a line in the log; a document that is none changes nothing.
   *
   * @param json as in docs/reference/settings.md
   * @return OK or BAD_ARGUMENT
   */
  public static Status configureDocument(String json) {
    return Status.BY_NUMBER[nativeConfigureDocument(json == null ? null : json.getBytes(StandardCharsets.UTF_8))];
  }

  /**
   * Who this is, for rules of documents; nothing of it is written down or sent. Rules that ask for what was not said
   * hold nowhere.
   *
   * @param installId a random id of this install, which the application keeps; ASCII; null for none
   * @param versionCode the application's; less than 0 for none
   */
  public static void identify(String installId, long versionCode) {
    nativeIdentify(installId, versionCode);
  }

  /**
   * Waits until the profiler is on or stays off for a reason, so that the messages that follow are watched.
   *
   * @param timeoutMs in milliseconds; less than 0 is 0
   * @return OK, also when it stays off; TIMED_OUT or NOT_STARTED
   */
  public static Status await(int timeoutMs) {
    return Status.BY_NUMBER[nativeAwait(Math.max(timeoutMs, 0))];
  }

  /**
   * Writes a dump and waits for it, at most 5 seconds.
   *
   * @return its file, or null when there is none; the log says why
   */
  public static String dump() {
    return nativeDump();
  }

  /**
   * A fact about the application for the dumps to come; the newest 32 are kept. Works before the start.
   *
   * @param name at most 64 bytes of UTF-8
   * @param value at most 256 bytes of UTF-8; null removes the fact
   * @return OK, or BAD_ARGUMENT for a name that is null or empty
   */
  public static Status annotate(String name, String value) {
    return Status.BY_NUMBER[nativeAnnotate(name, value)];
  }

  /**
   * What is on the screen, such as the visible activity. Works before the start.
   *
   * @param scene at most 256 bytes of UTF-8; null when there is nothing
   */
  public static void scene(String scene) {
    nativeScene(scene);
  }

  /**
   * Watches the messages of the calling thread, which has a Looper, from the next one on. The main thread always is.
   *
   * @return OK, TOO_MANY or NOT_STARTED
   */
  public static Status watchLooper() {
    return Status.BY_NUMBER[nativeWatchLooper()];
  }

  /**
   * Whether an install takes part in an experiment: a pure function by a published hash (docs/production.md), the same in
   * every release. Who is in stays in when the percentage grows. Starts nothing.
   *
   * @param installId a random id of this install, which the application keeps; ASCII
   * @param salt the experiment's name; ASCII
   * @param percent of all installs, from 0 to 100
   * @return false also for null, and for a percentage out of bounds
   */
  public static boolean isEnrolled(String installId, String salt, double percent) {
    return nativeIsEnrolled(installId, salt, percent);
  }

  /**
   * How far the profiler got.
   *
   * @return "on", or in a few words why samples are not taken
   */
  public static String state() {
    return nativeState();
  }

  /**
   * With what the application's own metrics are to be tagged: "control" where the settings (control_percent) have chosen
   * this install for the control group, in which the profiler sleeps; "sampled" where it was started, whatever became of
   * it; "out" where it was not, or is switched off since the start. From {@link #start} on, until the process ends.
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
   * Calls this listener for each dump from now on. The first listener starts the thread that calls, which waits without
   * waking up and stays.
   *
   * @param listener not null; twice the same is called twice
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
   * Calls this listener no more, but for a dump that is being told of at this moment.
   *
   * @param listener as it was given to {@link #addListener}
   */
  public static synchronized void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * Calls this listener for each record of a jank from now on, at first or anew. The first listener starts the thread
   * that calls, which waits without waking up and stays.
   *
   * @param listener not null; twice the same is called twice
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
   * Calls this listener no more, but for a record that is being told of at this moment.
   *
   * @param listener as it was given to {@link #addRecordListener}
   */
  public static synchronized void removeRecordListener(RecordListener listener) {
    recordListeners.remove(listener);
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
          // The listener's own affair: the next dump is told all the same.
        }
      }
    }
  }

  private static void tellOfRecords(int known) {
    for (int number = known + 1; ; number++) {
      String path = nativeAwaitRecord(number);
      if (path == null) {
        number = nativeNewestRecord() - 1; // it was too slow
        continue;
      }
      for (RecordListener listener : recordListeners) {
        try {
          listener.onRecord(path);
        } catch (Throwable dropped) {
          // The listener's own affair: the next record is told all the same.
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

  /** The number of the newest dump, 0 before the first. */
  private static native int nativeNewestDump();

  /** Waits for the dump of this number; null when it is forgotten by now. */
  private static native String nativeAwaitDump(int number);

  /** The number of the newest record that was written, 0 before the first. */
  private static native int nativeNewestRecord();

  /** Waits for the record of this number; null when it is forgotten by now. */
  private static native String nativeAwaitRecord(int number);
}
