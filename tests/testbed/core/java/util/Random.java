// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Pseudo-random numbers by the 48-bit linear congruential generator that Java's documentation prescribes. */
public class Random implements java.io.Serializable {
  private static final long MULTIPLIER = 0x5DEECE66DL;
  private static final long MASK = (1L << 48) - 1;

  private long state;
  private double spareGaussian;
  private boolean hasSpareGaussian;

  public Random() {
    this(System.nanoTime() ^ System.identityHashCode(Thread.currentThread()));
  }

  public Random(long seed) {
    setSeed(seed);
  }

  public synchronized void setSeed(long seed) {
    state = (seed ^ MULTIPLIER) & MASK;
    hasSpareGaussian = false;
  }

  protected synchronized int next(int bits) {
    state = state * MULTIPLIER + 0xBL & MASK;
    return (int) (state >>> 48 - bits);
  }

  public int nextInt() {
    return next(32);
  }

  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive");
    }
    if ((bound & -bound) == bound) {
      return (int) (bound * (long) next(31) >> 31);
    }
    int bits;
    int value;
    do {
      bits = next(31);
      value = bits % bound;
    } while (bits - value + (bound - 1) < 0);
    return value;
  }

  public long nextLong() {
    return ((long) next(32) << 32) + next(32);
  }

  public boolean nextBoolean() {
    return next(1) != 0;
  }

  public float nextFloat() {
    return next(24) / (float) (1 << 24);
  }

  public double nextDouble() {
    return (((long) next(26) << 27) + next(27)) / (double) (1L << 53);
  }

  public void nextBytes(byte[] bytes) {
    for (int i = 0; i < bytes.length; ) {
      for (int word = nextInt(), n = Math.min(bytes.length - i, 4); n > 0; n--, word >>= 8) {
        bytes[i++] = (byte) word;
      }
    }
  }

  /** The polar method makes two at a time. */
  public synchronized double nextGaussian() {
    if (hasSpareGaussian) {
      hasSpareGaussian = false;
      return spareGaussian;
    }
    double x;
    double y;
    double square;
    do {
      x = 2 * nextDouble() - 1;
      y = 2 * nextDouble() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = Math.sqrt(-2 * Math.log(square) / square);
    spareGaussian = y * scale;
    hasSpareGaussian = true;
    return x * scale;
  }
}
