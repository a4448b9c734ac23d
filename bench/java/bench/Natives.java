// SPDX-License-Identifier: Apache-2.0
package bench;

/** The natives of libbench.so. */
final class Natives {
  private Natives() {}

  /**
   * Verifies the runtime's layout and installs the sampler under test. Call once, on the main
   * thread.
   */
  static native void prepareSampler();

  /**
   * Measures samples of this stack by each method, {@code depth} frames deep including this one.
   * With {@code oursOnly}, only ours and an empty signal.
   */
  static native void measureSamples(int depth, boolean oursOnly);

  /**
   * Measures ours on this stack, {@code depth} frames deep including this one, which exceeds the
   * places of a sample.
   */
  static native void measureDeep(int depth, String tag);

  /** Loads all libraries of a folder and registers them with the sampler. */
  static native void loadLibraries(String folder);

  /**
   * Starts about 100 signals a second of CPU time, alternating between samples of a stack {@code
   * depth} frames deep and empty ones.
   */
  static native void startInSitu(int depth);

  /** False when there are enough samples; the rows are then written. */
  static native boolean inSituGoesOn(long walkedBytes, String tag);

  /** Counts the instructions that find a library among few and among many. */
  static native void measureLookUps();

  /** Replaces the methods of {@link Compiled} by equivalent machine code. */
  static native void installCompiled(Class<?> compiled);

  /**
   * Starts a thread that takes the main thread's stack from outside, then sets {@link
   * Samples#done}.
   */
  static native void startCallers();

  /** Gaps in the spinning main thread: pairs of begin and end, in nanoseconds. */
  static native void reportGaps(int depth, long[] gaps, int count);

  /** Takes one sample of this stack into the running tree. */
  static native void sample();

  /** Ends the running tree and begins the next. */
  static native void endTree();

  /** Writes the dump and reports all sizes. */
  static native void reportSizes();

  /** Loads the profiler's taps without enabling one. {@code how}: see {@link Taps}. */
  static native void prepareTaps(String how);

  /** Begins the timing of a block; call after its warm-up messages. */
  static native void blockBegins();

  /** Ends a block of messages and enables the next variant. False after the last block. */
  static native boolean blockEnds(int messages);

  /** Reports the private memory of this process. */
  static native void reportMemory();

  /** Burns CPU time. */
  static native void spin(long microseconds);

  /** Number of rounds that {@link Slowdown} measures. */
  static native int slowdownRounds();

  /** Switches the preloaded profiler's sampling on or off. */
  static native void setSampling(boolean on);

  /** Enables or disables signals with an empty handler, from a timer like the profiler's. */
  static native void setEmptySignals(boolean on);

  static native long threadCpuNs();

  /**
   * Reports the CPU time of the same work in each round, and the total with sampling on, in
   * nanoseconds.
   */
  static native void reportSlowdown(
      long[] quiet, long[] emptySignals, long[] sampled, long allSampled);

  static native void emptyStarting();

  static native void emptyDispatched();
}
