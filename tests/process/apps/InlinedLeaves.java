// SPDX-License-Identifier: Apache-2.0
/**
 * Methods that a compiler inlines into each other. Each writes its number when it begins, and again after a callee
 * returned, so the method that a sample must name is known. args[0] is the library that samples, args[1] the release,
 * args[2] the number of samples of each program. A program is a loop around leaves of one kind.
 */
public final class InlinedLeaves {
  /** By number. */
  private static final String[] NAMES = {
    "main", "looping", "checking", "dividing", "calling", "allocating", "plain", "branching", "middle", "inner", "getter",
    "longWork", "runLooping", "runChecking", "runDividing", "runCalling", "runAllocating", "runPlain", "runBranching",
    "runMiddle", "runGetter", "runMixed", "replaced", "apply", "runVirtual", "run"
  };

  /** By number: the one that is inlined into it, or calls it; several are, in mixed programs. */
  private static final int[][] CALLERS = {
    {}, {12, 21, 22}, {13, 21, 22}, {14, 21}, {15}, {16}, {17, 21}, {18}, {19}, {8, 19}, {20}, {4},
    {25}, {25}, {25}, {25}, {25}, {25}, {25}, {25}, {25}, {25}, {0}, {24}, {25}, {0}
  };

  private static final int LONG = 4000;

  /** The number of the method that runs. */
  static int at;

  /** Always 0: it keeps the compiler from dropping a number that is written again before it is read. */
  static volatile int none;

  private static int sink;

  private interface Action {
    int apply(int value, int count);
  }

  private static final class Mixing implements Action {
    private int state = 3;

    @Override
    public int apply(int value, int count) {
      at = 23;
      value += none;
      for (int i = 0; i < count; i++) {
        state = state * 31 + (value ^ i);
      }
      return state;
    }
  }

  private static final class Holder {
    int value = 5;

    int getter(int other) {
      at = 10;
      other += none;
      return (value * other) * (value ^ other) * 17 / 3;
    }
  }

  InlinedLeaves() {}

  /** Its entry point shows the stub of native methods. */
  private native void neverCalled();

  private static native boolean bind(String release, String[] names, int[][] callers);

  private static native void begin(String program, int samples);

  /** Judges what was sampled; true when that is enough, or the time is over. */
  private static native boolean enough();

  private static native int report();

  static int looping(int value, int count) {
    at = 1;
    value += none;
    for (int i = 0; i < count; i++) {
      value = value * 31 + (i ^ value >>> 7);
    }
    return value;
  }

  static int checking(int[] data, int value) {
    at = 2;
    value += none;
    value += data[value & 63];
    value += data[value & 63] * 3;
    value += data[value & 63] * 5;
    return value + data[value & 63];
  }

  static int dividing(int value, int by) {
    at = 3;
    value += none;
    value = value / by + value % (by + 1);
    return value / (by + 2);
  }

  static int calling(int value) {
    at = 4;
    value += none;
    value = longWork(value + 1);
    at = 4;
    value += none;
    return value * 31 * value + 5;
  }

  static int allocating(int value) {
    at = 5;
    value += none;
    int[] made = new int[16];
    made[value & 15] = value;
    return made[(value >> 4) & 15] + value * 3;
  }

  static int plain(int value) {
    at = 6;
    value += none;
    value = value * 0x9e3779b1 ^ value >>> 15;
    value = value * 0x85ebca6b ^ value >>> 13;
    return value * 0xc2b2ae35 ^ value >>> 16;
  }

  static int branching(int[] data, int value) {
    at = 7;
    value += none;
    if ((value & 3) == 0) {
      return value * 31 * value * value * 7 ^ value >>> 3;
    }
    return value + data[value & 63];
  }

  static int inner(int value, int count) {
    at = 9;
    value += none;
    for (int i = 0; i < count; i++) {
      value = value * 31 + (i ^ value >>> 7);
    }
    return value;
  }

  static int middle(int value, int count) {
    at = 8;
    value += none;
    for (int i = 0; i < 8; i++) {
      value = inner(value ^ i, count);
      at = 8;
      value += none;
    }
    return value;
  }

  /** Too long to be inlined. */
  static int longWork(int value) {
    at = 11;
    value += none;
    value = value * 31 + (value >>> 3) * 17 + (value ^ 0x1234) * 7;
    value = value * 37 + (value >>> 5) * 19 + (value ^ 0x2345) * 11;
    value = value * 41 + (value >>> 7) * 23 + (value ^ 0x3456) * 13;
    value = value * 43 + (value >>> 9) * 29 + (value ^ 0x4567) * 17;
    value = value * 47 + (value >>> 11) * 31 + (value ^ 0x5678) * 19;
    value = value * 53 + (value >>> 13) * 37 + (value ^ 0x6789) * 23;
    value = value * 59 + (value >>> 15) * 41 + (value ^ 0x789a) * 29;
    value = value * 61 + (value >>> 17) * 43 + (value ^ 0x89ab) * 31;
    return value;
  }

  static int runLooping(int value) {
    at = 12;
    value += none;
    for (int i = 0; i < LONG / 20; i++) {
      value += looping(value, 40);
      at = 12;
      value += none;
    }
    return value;
  }

  static int runChecking(int[] data, int value) {
    at = 13;
    value += none;
    for (int i = 0; i < LONG; i++) {
      value += checking(data, value);
      at = 13;
      value += none;
    }
    return value;
  }

  static int runDividing(int value) {
    at = 14;
    value += none;
    for (int i = 1; i < LONG; i++) {
      value += dividing(value, i);
      at = 14;
      value += none;
    }
    return value;
  }

  static int runCalling(int value) {
    at = 15;
    value += none;
    for (int i = 0; i < LONG; i++) {
      value += calling(value);
      at = 15;
      value += none;
    }
    return value;
  }

  static int runAllocating(int value) {
    at = 16;
    value += none;
    for (int i = 0; i < LONG / 4; i++) {
      value += allocating(value);
      at = 16;
      value += none;
    }
    return value;
  }

  static int runPlain(int value) {
    at = 17;
    value += none;
    for (int i = 0; i < LONG; i++) {
      value += plain(value);
      at = 17;
      value += none;
    }
    return value;
  }

  static int runBranching(int[] data, int value) {
    at = 18;
    value += none;
    for (int i = 0; i < LONG; i++) {
      value += branching(data, value);
      at = 18;
      value += none;
    }
    return value;
  }

  static int runMiddle(int value) {
    at = 19;
    value += none;
    for (int i = 0; i < LONG / 100; i++) {
      value += middle(value, 20);
      at = 19;
      value += none;
    }
    return value;
  }

  static int runGetter(Holder holder, int value) {
    at = 20;
    value += none;
    for (int i = 0; i < LONG; i++) {
      value += holder.getter(value);
      at = 20;
      value += none;
    }
    return value;
  }

  static int runMixed(int[] data, int value) {
    at = 21;
    value += none;
    for (int i = 1; i < LONG / 10; i++) {
      value += looping(value, 10);
      at = 21;
      value += none;
      value += checking(data, value);
      at = 21;
      value += none;
      value += dividing(value, i);
      at = 21;
      value += none;
      value += plain(value);
      at = 21;
      value += none;
    }
    return value;
  }

  static int runVirtual(Action action, int value) {
    at = 24;
    value += none;
    for (int i = 0; i < LONG / 20; i++) {
      value += action.apply(value, 20);
      at = 24;
      value += none;
    }
    return value;
  }

  /** Entered once. */
  static int replaced(int[] data, int value) {
    while (!enough()) {
      at = 22;
      value += none;
      for (int i = 0; i < LONG; i++) {
        value += looping(value, 20);
        at = 22;
        value += none;
        value += checking(data, value);
        at = 22;
        value += none;
      }
    }
    return value;
  }

  private static int run(int program, int[] data, Holder holder, Action action, int value) {
    at = 25;
    value += none;
    switch (program) {
      case 12:
        value = runLooping(value);
        break;
      case 13:
        value = runChecking(data, value);
        break;
      case 14:
        value = runDividing(value);
        break;
      case 15:
        value = runCalling(value);
        break;
      case 16:
        value = runAllocating(value);
        break;
      case 17:
        value = runPlain(value);
        break;
      case 18:
        value = runBranching(data, value);
        break;
      case 19:
        value = runMiddle(value);
        break;
      case 20:
        value = runGetter(holder, value);
        break;
      case 21:
        value = runMixed(data, value);
        break;
      default:
        value = runVirtual(action, value);
        break;
    }
    at = 25;
    value += none;
    return value;
  }

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    int samples = Integer.parseInt(args[2]);
    if (!bind(args[1], NAMES, CALLERS)) {
      System.exit(2);
    }
    int[] data = new int[64];
    Holder holder = new Holder();
    Action action = new Mixing();
    for (int program : new int[] {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24}) {
      // The compiler takes its time.
      for (int i = 0; i < 300; i++) {
        sink += run(program, data, holder, action, i);
      }
      Thread.sleep(200);
      at = 0;
      begin(NAMES[program], samples);
      while (!enough()) {
        sink += run(program, data, holder, action, sink);
        at = 0;
      }
    }
    begin("replaced", samples);
    sink += replaced(data, 5);
    System.exit(report() + (sink == 42 ? 1 : 0));
  }
}
