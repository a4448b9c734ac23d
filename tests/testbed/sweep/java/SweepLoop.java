// SPDX-License-Identifier: Apache-2.0
/** A loop that is entered once and long enough for its code to come while it runs. */
public final class SweepLoop implements Sweep.Work {
  private static final int ROUNDS = 1_500;

  private static final class Failure extends RuntimeException {
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  private int field;

  @Override
  public int run(int seed) {
    int value = seed;
    Object kept = this;
    for (int i = 0; i < ROUNDS; i++) {
      value = value * 31 + (i ^ value >>> 7) % 1009;
      if ((i & 63) == 0) {
        value += called(value, i);
        kept = new int[4];
      }
      if ((i & 511) == 1) {
        value += caught(value);
      }
      field += kept == this ? 1 : 2;
    }
    return value;
  }

  private int called(int value, int count) {
    int sum = field;
    for (int i = 0; i < (count & 15); i++) {
      sum += value / (i + 3);
    }
    return sum;
  }

  private int caught(int value) {
    try {
      return thrown(value);
    } catch (Failure failure) {
      return value >>> 3;
    }
  }

  private int thrown(int value) {
    if ((value & 1) == 0) {
      throw new Failure();
    }
    return value;
  }
}
