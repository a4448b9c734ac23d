// SPDX-License-Identifier: Apache-2.0
import fixture.Caught;

/**
 * A program for nterp to run step by step: calls of all kinds, fields, arrays, branches,
 * exceptions.
 */
final class NterpWork {
  private interface Shape {
    int area(int scale);
  }

  private static class Square implements Shape {
    protected int side;
    private long wide;
    private Object link;
    private volatile int seen;
    private boolean flag;

    Square(int side) {
      this.side = side;
    }

    @Override
    public int area(int scale) {
      wide += scale;
      seen++;
      flag = !flag;
      link = this;
      return side * side * scale + (flag ? 1 : 0) + (int) wide + (link == null ? 1 : seen);
    }
  }

  private static final class Tall extends Square {
    private final double height;

    Tall(int side, double height) {
      super(side);
      this.height = height;
    }

    @Override
    public int area(int scale) {
      return super.area(scale) + (int) (side * height);
    }
  }

  private static final class Stop extends RuntimeException {
    Stop(String message) {
      super(message);
    }
  }

  private static int count;
  private static long total;
  private static Object last;

  private NterpWork() {}

  static int work(int code) {
    QuickCode.probe(0);
    int result = fields(code) + arrays(code) + branches(code);
    Shape[] shapes = {new Square(code), new Tall(code, 1.5)};
    for (Shape shape : shapes) {
      result += shape.area(2) + shape.area(3);
      if (shape instanceof Tall) {
        result += ((Tall) shape).side;
      }
    }
    result += (int) many(1, 2L, 3.5f, 4.5, (short) 5, (byte) 6, 'c', true, shapes, 10);
    result += recurse(4) + locked(shapes[0]);
    return result + caught(code) + caught(-1) + nothing(null) + Caught.divided(0);
  }

  private static int fields(int value) {
    count += value;
    total += count;
    last = value > 3 ? "more" : NterpWork.class;
    return count + (int) total + (last == null ? 0 : 1);
  }

  private static int arrays(int length) {
    int[] numbers = {3, 1, 4, 1, 5};
    long[] longs = new long[length];
    Object[] objects = new Object[length];
    byte[] bytes = new byte[length];
    int sum = 0;
    for (int i = 0; i < length; i++) {
      longs[i] = numbers[i % numbers.length];
      objects[i] = numbers;
      bytes[i] = (byte) (i * 50);
      sum += (int) longs[i] + bytes[i] + (objects[i] == numbers ? 1 : 0) + objects.length;
    }
    return sum;
  }

  private static int branches(int value) {
    int result = 0;
    for (int i = value; i >= -2; i--) {
      switch (i) {
        case 0:
          result += 1;
          break;
        case 1:
          result ^= 5;
          break;
        case 2:
          result -= i;
          break;
        default:
          result++;
      }
      switch (i * 1000) {
        case -1000:
          result += 7;
          break;
        case 5000:
          result <<= 1;
          break;
        default:
          result |= 1;
      }
      long wide = i * 3L;
      result += wide > 4 ? (int) (wide % 3) : (int) (wide / 2) - (int) (i * 0.5f);
    }
    return result;
  }

  private static double many(
      int a, long b, float c, double d, short e, byte f, char g, boolean h, Object[] i, int j) {
    return a + b + c + d + e + f + g + (h ? 1 : 0) + i.length + j;
  }

  private static int recurse(int depth) {
    return depth == 0 ? 1 : depth + recurse(depth - 1);
  }

  private static int locked(Object lock) {
    synchronized (lock) {
      return recurse(1);
    }
  }

  private static int caught(int value) {
    try {
      return thrower(value);
    } catch (Stop e) {
      return e.getMessage().length();
    } finally {
      count++;
    }
  }

  private static int thrower(int value) {
    if (value < 0) {
      throw new Stop("negative");
    }
    return recurse(value & 1);
  }

  private static int nothing(Square square) {
    try {
      return square.side;
    } catch (NullPointerException e) {
      return 2;
    }
  }
}
