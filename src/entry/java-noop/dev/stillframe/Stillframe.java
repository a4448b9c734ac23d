// SPDX-License-Identifier: Apache-2.0
// The facade for builds without the profiler.
package dev.stillframe;

/**
 * Does nothing. Its members are those of the real one (src/entry/java), which describes them. All may be called from
 * any thread, cost nothing, and answer as if there were no profiler.
 */
public final class Stillframe {
  public enum Status {
    OK,
    NOT_STARTED,
    ALREADY_STARTED,
    NO_DUMP_DIR,
    DUMP_FAILED,
    TIMED_OUT,
    NO_THREAD,
    BAD_ARGUMENT,
    TOO_MANY,
    TOO_LATE
  }

  public interface Listener {
    void onDump(String path);
  }

  public interface RecordListener {
    void onRecord(String path);
  }

  private Stillframe() {}

  public static boolean load() {
    return false;
  }

  public static Status start() {
    return Status.NOT_STARTED;
  }

  public static Status start(String dumpDir) {
    return Status.NOT_STARTED;
  }

  public static Status stop() {
    return Status.NOT_STARTED;
  }

  public static Status configure(String name, String value) {
    return Status.OK;
  }

  public static Status configureDocument(String json) {
    return Status.OK;
  }

  public static void identify(String installId, long versionCode) {}

  public static Status await(int timeoutMs) {
    return Status.NOT_STARTED;
  }

  public static String dump() {
    return null;
  }

  public static Status annotate(String name, String value) {
    return Status.OK;
  }

  public static void scene(String scene) {}

  public static Status watchLooper() {
    return Status.NOT_STARTED;
  }

  public static boolean isEnrolled(String installId, String salt, double percent) {
    return false;
  }

  public static String state() {
    return "not built in";
  }

  public static String group() {
    return "out";
  }

  public static String version() {
    return "none";
  }

  public static void addListener(Listener listener) {}

  public static void removeListener(Listener listener) {}

  public static synchronized void addRecordListener(RecordListener listener) {}

  public static synchronized void removeRecordListener(RecordListener listener) {}
}
