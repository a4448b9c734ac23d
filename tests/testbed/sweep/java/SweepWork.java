// SPDX-License-Identifier: Apache-2.0
import fixture.Caught;

/** The programs that are swept: what compiled methods do, one kind each. */
final class SweepWork {
  static final Class<?>[] TYPES = {
    Arithmetic.class, Calls.class, Square.class, Tall.class, Round.class, SweepObjects.class, SweepObjects.Node.class,
    Failures.class, Natives.class, Locks.class, Texts.class, Wide.class, Leaves.class
  };

  private SweepWork() {}

  static Sweep.Work[] all() {
    return new Sweep.Work[] {
      new Arithmetic(), new Calls(), new SweepObjects(), new Failures(), new Natives(), new Locks(), new Texts(),
      new Wide(), new Leaves()
    };
  }

  /** Loops and all kinds of numbers, intrinsics among them. */
  static final class Arithmetic implements Sweep.Work {
    @Override
    public int run(int seed) {
      return (int) (integers(seed, 60) + longs(seed, 40) + (long) doubles(seed, 30)) + switches(seed) + bits(seed);
    }

    private static int integers(int seed, int count) {
      int value = seed;
      for (int i = 1; i <= count; i++) {
        value = value * 31 + (i ^ value >>> 7) % 1009 + value / i;
      }
      return value;
    }

    private static long longs(long seed, int count) {
      long value = seed;
      for (int i = 1; i <= count; i++) {
        value = value * 6364136223846793005L + i;
        value ^= value >>> 29;
        value += value / (i + 3) - value % 7;
      }
      return value;
    }

    private static double doubles(double seed, int count) {
      double sum = seed;
      float small = 1;
      for (int i = 0; i < count; i++) {
        sum += Math.sqrt(i) * 1.5 - (int) sum % 5;
        small = small * 1.01f + (float) sum;
      }
      return sum + small % 3.0 + Math.floor(sum) + Math.abs(sum) + Math.max(sum, small);
    }

    private static int switches(int seed) {
      int result = 0;
      for (int i = 0; i < 12; i++) {
        switch ((seed + i) % 7) {
          case 0:
            result += 3;
            break;
          case 1:
            result ^= 5;
            break;
          case 2:
            result <<= 1;
            break;
          case 3:
            result -= i;
            break;
          case 5:
            result |= 64;
            break;
          default:
            result++;
        }
      }
      return result;
    }

    private static int bits(int seed) {
      return Integer.bitCount(seed) + Integer.numberOfLeadingZeros(seed) + Long.numberOfTrailingZeros(seed)
          + Integer.reverse(seed) + Integer.highestOneBit(seed);
    }
  }

  private interface Shape {
    int area(int scale);
  }

  private interface Named {
    int name(int seed);
  }

  static class Square implements Shape, Named {
    protected int side = 3;

    @Override
    public int area(int scale) {
      return side * side * scale;
    }

    @Override
    public int name(int seed) {
      return seed;
    }
  }

  static final class Tall extends Square {
    @Override
    public int area(int scale) {
      return super.area(scale) + Calls.recurse(scale & 3) * side;
    }
  }

  static final class Round implements Shape {
    @Override
    public int area(int scale) {
      int sum = 0;
      for (int i = 0; i < 4; i++) {
        sum += scale * i;
      }
      return sum;
    }
  }

  /** Static, virtual, by interface, with many arguments, recursive, through a lambda. */
  static final class Calls implements Sweep.Work {
    private static int total;

    @Override
    public int run(int seed) {
      Shape[] shapes = {new Square(), new Tall(), new Round(), (scale) -> scale + seed};
      int result = 0;
      for (int i = 0; i < 8; i++) {
        Shape shape = shapes[(seed + i) & 3];
        result += shape.area(i);
        if (shape instanceof Named) {
          result += ((Named) shape).name(i);
        }
      }
      result += fibonacci(6) + recurse(5) + (int) many(1, 2L, 3.5f, 4.5, (short) 5, (byte) 6, 'c', true, shapes, seed);
      return result + isEven(7);
    }

    static int recurse(int depth) {
      return depth == 0 ? 1 : depth + recurse(depth - 1);
    }

    private static int fibonacci(int n) {
      return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    private static int isEven(int n) {
      return n == 0 ? 1 : isOdd(n - 1);
    }

    private static int isOdd(int n) {
      total += n;
      return n == 0 ? 0 : isEven(n - 1);
    }

    private static double many(
        int a, long b, float c, double d, short e, byte f, char g, boolean h, Object[] i, int j) {
      double sum = a + b + c + d;
      for (int k = 0; k < 3; k++) {
        sum = sum * 1.5 + e * f + g + (h ? 1 : 0) + i.length + j;
      }
      return sum;
    }
  }

  static final class Stop extends RuntimeException {
    final int value;

    Stop(int value) {
      this.value = value;
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /** Exceptions of our own and of the runtime, caught here and further out. */
  static final class Failures implements Sweep.Work {
    private static int count;

    @Override
    public int run(int seed) {
      int result = 0;
      for (int i = 0; i < 3; i++) {
        result += caught(seed + i, 3) + nothing(i == 0 ? null : new SweepObjects.Node(0)) + Caught.divided(i - 1) + beyond(i * 4);
      }
      return result + wrongCast(seed % 2 == 0 ? "text" : new int[1]) + rethrown(seed);
    }

    private static int caught(int value, int depth) {
      try {
        return fall(value, depth);
      } catch (Stop stop) {
        return stop.value;
      } finally {
        count++;
      }
    }

    private static int fall(int value, int depth) {
      if (depth == 0) {
        if (value % 3 != 0) {
          throw new Stop(value);
        }
        return value;
      }
      return fall(value, depth - 1) + 1;
    }

    private static int rethrown(int value) {
      try {
        try {
          return fall(value | 1, 1) + fall(value + 1, 2) + fall(value + 2, 1);
        } finally {
          count += value;
        }
      } catch (Stop stop) {
        return 7;
      }
    }

    private static int nothing(SweepObjects.Node node) {
      try {
        return node.value;
      } catch (NullPointerException e) {
        return 2;
      }
    }

    private static int beyond(int index) {
      int[] array = {1, 2, 3, 4, 5};
      try {
        return array[index];
      } catch (ArrayIndexOutOfBoundsException e) {
        return 4;
      }
    }

    private static int wrongCast(Object object) {
      try {
        return ((String) object).length();
      } catch (ClassCastException e) {
        return 5;
      }
    }
  }

  /** Native methods, back from them, and natives of the core library. */
  static final class Natives implements Sweep.Work {
    private static final Calls CALLS = new Calls();

    @Override
    public int run(int seed) {
      int result = 0;
      for (int i = 0; i < 4; i++) {
        result += Sweep.leaf(seed + i) + (int) Math.cos(i) + System.identityHashCode(this);
      }
      return result + Sweep.through(CALLS, seed) + (System.nanoTime() > 0 ? 1 : 0);
    }
  }

  /** Monitors. */
  static final class Locks implements Sweep.Work {
    private int held;

    @Override
    public int run(int seed) {
      int result = 0;
      for (int i = 0; i < 6; i++) {
        synchronized (this) {
          held += i;
          result += Calls.recurse(i & 1);
        }
        result += guarded(seed) + twice(seed);
      }
      return result;
    }

    private synchronized int guarded(int seed) {
      held++;
      return Calls.recurse(seed & 1) + held;
    }

    private static synchronized int twice(int seed) {
      return 2 * seed;
    }
  }

  /** Strings. */
  static final class Texts implements Sweep.Work {
    @Override
    public int run(int seed) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        text.append(i + seed).append(',').append("word");
      }
      String whole = text.toString();
      int hash = whole.hashCode() + whole.indexOf('w') + whole.substring(2, 6).length();
      for (int i = 0; i < whole.length(); i++) {
        hash = hash * 31 + whole.charAt(i);
      }
      return hash + (whole.equals("word") ? 1 : 0) + whole.compareTo("text");
    }
  }

  /** A frame of many registers, float ones among them, that live over calls. */
  static final class Wide implements Sweep.Work {
    @Override
    public int run(int seed) {
      return (int) spilled(seed, seed * 2L, seed * 3.0f, seed * 4.0);
    }

    private static double spilled(int a, long b, float c, double d) {
      int i1 = a + 1;
      int i2 = a * 3;
      long l1 = b ^ 5;
      long l2 = b * 7;
      float f1 = c + 1;
      float f2 = c * 2;
      double d1 = d - 3;
      double d2 = d * d;
      double d3 = d + d2;
      double d4 = d3 * 2;
      int called = 0;
      for (int i = 0; i < 3; i++) {
        called += Calls.recurse(i + 1) + Leaves.tiny(i);
        i1 += called;
        d4 += i1;
      }
      return i1 + i2 + l1 + l2 + f1 + f2 + d1 + d2 + d3 + d4 + called;
    }
  }

  private interface Leaf {
    int of(int value);
  }

  /** Methods without a frame, called so that they are not inlined. */
  static final class Leaves implements Sweep.Work {
    private static final Leaf[] LEAVES = {
      Leaves::tiny, Leaves::loop, (value) -> value + 1, (value) -> value * value, (value) -> -value, Leaves::sum
    };
    private static final int[] NUMBERS = {3, 1, 4, 1, 5, 9, 2, 6};

    @Override
    public int run(int seed) {
      int result = 0;
      for (int i = 0; i < 18; i++) {
        result += LEAVES[(i + seed) % LEAVES.length].of(i);
      }
      return result;
    }

    static int tiny(int value) {
      return 3 * value + 1;
    }

    private static int loop(int value) {
      int result = value;
      for (int i = 0; i < 10; i++) {
        result = result * 17 + i;
      }
      return result;
    }

    private static int sum(int value) {
      int result = value;
      for (int number : NUMBERS) {
        result += number;
      }
      return result;
    }
  }
}
