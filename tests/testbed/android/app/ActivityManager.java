// SPDX-License-Identifier: Apache-2.0
package android.app;

import java.util.ArrayList;
import java.util.List;

/** The system's view of this process; here the value set by {@link #setNotResponding}. */
public class ActivityManager {
  private static volatile ProcessErrorStateInfo sState;

  /** A process that crashed or does not respond; names and numbers as in AOSP 11. */
  public static class ProcessErrorStateInfo {
    public static final int NO_ERROR = 0;
    public static final int CRASHED = 1;
    public static final int NOT_RESPONDING = 2;

    public int condition;
    public String processName;
    public int pid;
    public int uid;
    public String tag;
    public String shortMsg;
    public String longMsg;
  }

  /** Null when no process of the application is in such a state. */
  public List<ProcessErrorStateInfo> getProcessesInErrorState() {
    final ProcessErrorStateInfo state = sState;
    if (state == null) {
      return null;
    }
    final List<ProcessErrorStateInfo> states = new ArrayList<>();
    states.add(state);
    return states;
  }

  /** The system's decision that process {@code pid} does not respond, in {@code activity}; null for none. */
  public static void setNotResponding(int pid, String activity, String shortMsg) {
    final ProcessErrorStateInfo state = new ProcessErrorStateInfo();
    state.condition = ProcessErrorStateInfo.NOT_RESPONDING;
    state.pid = pid;
    state.tag = activity;
    state.shortMsg = shortMsg;
    sState = state;
  }
}
