// SPDX-License-Identifier: Apache-2.0
// Reads how the system says that earlier processes ended.
package dev.stillframe;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Hands the ApplicationExitInfo of earlier processes to the profiler, each once. Android's classes are called by
 * reflection: the facade is built without the SDK, and API levels below 30 lack them.
 */
final class ProcessExits implements Runnable {
  private static final int REASON_ANR = 6;
  private static final int START_MS = 60_000;
  /** The main thread is among the first; a trace file may have 10 MB. */
  private static final int MOST_TRACE_BYTES = 1 << 20;
  private static final String SUB_REASON = " subreason=";

  private final Object context;

  ProcessExits(Object context) {
    this.context = context;
  }

  @Override
  public void run() {
    try {
      Stillframe.await(START_MS);
      Object manager = call(context, "getSystemService", String.class, "activity");
      List<?> exits = exitsOf(manager);
      List<Object> withTraces = newestAnrs(exits);
      Collections.reverse(exits); // the oldest first
      for (Object exit : exits) {
        try {
          tell(exit, withTraces.contains(exit));
        } catch (ReflectiveOperationException | RuntimeException unreadable) {
          // The next one may be readable.
        }
      }
      if (mayMark(exits)) call(manager, "setProcessStateSummary", byte[].class, Stillframe.nativeSummary());
    } catch (Throwable unavailable) {
      // Below API level 30, or the system refuses.
    }
  }

  private static List<?> exitsOf(Object manager) throws ReflectiveOperationException {
    Object exits =
        manager
            .getClass()
            .getMethod("getHistoricalProcessExitReasons", String.class, int.class, int.class)
            .invoke(manager, null, 0, 0);
    return new ArrayList<>((List<?>) exits);
  }

  /** Their traces may take half of the bytes of a day. */
  private static List<Object> newestAnrs(List<?> exits) throws ReflectiveOperationException {
    List<Object> newest = new ArrayList<>();
    for (Object exit : exits) {
      if (newest.size() < 3 && (Integer) get(exit, "getReason") == REASON_ANR) newest.add(exit);
    }
    return newest;
  }

  private static void tell(Object exit, boolean withTraces) throws ReflectiveOperationException {
    int pid = (Integer) get(exit, "getPid");
    long time = (Long) get(exit, "getTimestamp");
    if (Stillframe.nativeKnowsExit(pid, time)) return;
    int reason = (Integer) get(exit, "getReason");
    ByteArrayOutputStream traces = new ByteArrayOutputStream();
    String noTraces = "";
    if (reason == REASON_ANR) noTraces = withTraces ? readTraces(exit, traces) : "of the newest three ANRs only";
    long[] numbers = {pid, time, reason, (Integer) get(exit, "getImportance"), (Long) get(exit, "getPss")};
    String[] texts = {
      subReasonOf(exit),
      (String) get(exit, "getProcessName"),
      (String) get(exit, "getDescription"),
      noTraces
    };
    byte[] summary = (byte[]) get(exit, "getProcessStateSummary");
    Stillframe.nativeAddExit(numbers, texts, summary, traces.toByteArray());
  }

  private static String subReasonOf(Object exit) {
    try {
      return subReasonIn(exit.toString());
    } catch (RuntimeException | LinkageError unreadable) {
      return ""; // It formats times, which takes much of the class library.
    }
  }

  /** "UNKNOWN" of "reason=6 (ANR) subreason=0 (UNKNOWN) status=0"; "": not there. Its getter is not in the SDK. */
  private static String subReasonIn(String text) {
    int at = text.indexOf(SUB_REASON);
    int begin = text.indexOf('(', at);
    int end = text.indexOf(')', begin);
    return at < 0 || begin < 0 || end < 0 ? "" : text.substring(begin + 1, end);
  }

  /** Appends the beginning of the traces. Returns what is wrong with them; "": nothing. */
  private static String readTraces(Object exit, ByteArrayOutputStream traces) {
    try (InputStream stream = (InputStream) get(exit, "getTraceInputStream")) {
      if (stream == null) return "the system has none";
      byte[] part = new byte[8192];
      for (int count; traces.size() < MOST_TRACE_BYTES && (count = stream.read(part)) > 0; ) {
        traces.write(part, 0, count);
      }
      return "";
    } catch (ReflectiveOperationException | IOException | RuntimeException broken) {
      Throwable cause = broken;
      while (cause.getCause() != null) cause = cause.getCause();
      return cause.toString();
    }
  }

  /**
   * Whether the summary of this process is free. An application that sets its own has done so in a process that ended
   * since it was installed or updated. Before such a process has ended, this is not known.
   */
  private boolean mayMark(List<?> exits) throws ReflectiveOperationException {
    Object packages = get(context, "getPackageManager");
    String name = (String) get(context, "getPackageName");
    Object info =
        packages.getClass().getMethod("getPackageInfo", String.class, int.class).invoke(packages, name, 0);
    long updated = info.getClass().getField("lastUpdateTime").getLong(info);
    String process = processName();
    boolean isFree = false;
    for (Object exit : exits) {
      if ((Long) get(exit, "getTimestamp") < updated || !process.equals(get(exit, "getProcessName"))) continue;
      byte[] summary = (byte[]) get(exit, "getProcessStateSummary");
      if (summary != null && summary.length != 0 && !isOurs(summary)) return false;
      isFree = true;
    }
    return isFree;
  }

  private static boolean isOurs(byte[] summary) {
    byte[] own = Stillframe.nativeSummary();
    if (summary.length != own.length) return false;
    for (int i = 0; i < 4; i++) if (summary[i] != own[i]) return false;
    return true;
  }

  private static String processName() {
    try (InputStream file = new FileInputStream("/proc/self/cmdline")) {
      byte[] text = new byte[256];
      int size = Math.max(file.read(text), 0);
      int end = 0;
      while (end < size && text[end] != 0) end++;
      return new String(text, 0, end, java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }

  private static Object get(Object object, String getter) throws ReflectiveOperationException {
    return object.getClass().getMethod(getter).invoke(object);
  }

  private static Object call(Object object, String method, Class<?> type, Object argument)
      throws ReflectiveOperationException {
    return object.getClass().getMethod(method, type).invoke(object, argument);
  }
}
