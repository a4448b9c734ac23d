// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

/** ART's counters and debugging aids. */
public final class VMDebug {
  /** Numbers of ART's runtime statistics (ART 10 to 14, runtime/native/dalvik_system_VMDebug.cc). */
  private static final int COLLECTIONS = 0;

  private static final int BYTES_ALLOCATED = 2;

  private static final int BYTES_FREED = 3;

  /** Bytes allocated and not collected yet. */
  public static long liveBytes() {
    return Long.parseLong(getRuntimeStatInternal(BYTES_ALLOCATED))
        - Long.parseLong(getRuntimeStatInternal(BYTES_FREED));
  }

  /** Collections that have ended. */
  public static long collections() {
    return Long.parseLong(getRuntimeStatInternal(COLLECTIONS));
  }

  public static native long threadCpuTimeNanos();

  /** Every call and return of every thread goes to a file, or what fits into so many bytes. */
  public static void startMethodTracing(
      String file, int bytes, int flags, boolean samples, int intervalUs) {
    startMethodTracingFilename(file, bytes, flags, samples, intervalUs);
  }

  public static native void stopMethodTracing();

  private static native void startMethodTracingFilename(
      String file, int bytes, int flags, boolean samples, int intervalUs);

  private static native String getRuntimeStatInternal(int number);

  private VMDebug() {}
}
