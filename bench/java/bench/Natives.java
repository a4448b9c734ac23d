// SPDX-License-Identifier: Apache-2.0
package bench;

/** The natives of libbench.so. */
final class Natives {
  private Natives() {}

  /**
   * Proves the runtime's layout and installs the sampler under test. Called once, on the main
   * thread.
   */
  static native void prepareSampler();

  /**
   * Measures every way to take a sample of this very stack, {@code depth} frames deep with this
   * one; or ours and an empty signal only.
   */
  static native void measureSamples(int depth, boolean oursOnly);

  /**
   * Measures ours over this very stack, {@code depth} frames deep with this one: more than a sample
   * has places for.
   */
  static native void measureDeep(int depth, String tag);

  /** Loads all libraries of a folder, and makes them known to the sampler. */
  static native void loadLibraries(String folder);

  /**
   * From here on some 100 signals a second of CPU time: samples of a stack {@code depth} frames
   * deep, and empty ones in turns.
   */
  static native void startInSitu(int depth);

  /** False when there were enough; the rows are written then. */
  static native boolean inSituGoesOn(long walkedBytes, String tag);

  /** Counts the instructions that find a library among few and among many. */
  static native void measureLookUps();

  /** Replaces the methods of {@link Compiled} by machine code that does the same. */
  static native void installCompiled(Class<?> compiled);

  /**
   * Starts a thread that takes the main thread's stack from outside, then sets {@link
   * Samples#done}.
   */
  static native void startCallers();

  /**
   * The moments at which the spinning main thread stood still: pairs of begin and end, in
   * nanoseconds.
   */
  static native void reportGaps(int depth, long[] gaps, int count);

  /** Takes one sample of this stack into the running tree. */
  static native void sample();

  /** Ends the running tree and begins the next one. */
  static native void endTree();

  /** Writes the dump and reports all sizes. */
  static native void reportSizes();

  /** Loads the profiler's taps; none is in force yet. */
  static native void prepareTaps(boolean countsOnly, boolean several);

  /** The next block's timing begins; called once its first messages are through. */
  static native void blockBegins();

  /** Ends a block of messages and puts the next variant in force. False after the last block. */
  static native boolean blockEnds(int messages);

  /** Reports the memory of this process that nobody shares. */
  static native void reportMemory();

  /** Burns CPU time. */
  static native void spin(long microseconds);

  /** How many rounds of turns {@link Slowdown} measures. */
  static native int slowdownRounds();

  /** Switches the preloaded profiler's sampling on or off. */
  static native void setSampling(boolean on);

  /** Switches signals of a timer like the profiler's on or off whose handler does nothing. */
  static native void setEmptySignals(boolean on);

  static native long threadCpuNs();

  /**
   * Reports the CPU time of the same work, round by round, and of all that ran with sampling on, in
   * nanoseconds.
   */
  static native void reportSlowdown(
      long[] quiet, long[] emptySignals, long[] sampled, long allSampled);

  static native void emptyStarting();

  static native void emptyDispatched();
}
