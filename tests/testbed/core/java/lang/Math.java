// SPDX-License-Identifier: Apache-2.0
package java.lang;

import dalvik.annotation.optimization.CriticalNative;
import java.util.Random;

/** Elementary functions; the transcendental ones are the C library's. */
public final class Math {
  public static final double E = 2.718281828459045;
  public static final double PI = 3.141592653589793;

  private static final class Dice {
    static final Random RANDOM = new Random();
  }

  public static double random() {
    return Dice.RANDOM.nextDouble();
  }

  @CriticalNative
  public static native double cos(double x);

  @CriticalNative
  public static native double sin(double x);

  @CriticalNative
  public static native double acos(double x);

  @CriticalNative
  public static native double asin(double x);

  @CriticalNative
  public static native double atan(double x);

  @CriticalNative
  public static native double cbrt(double x);

  @CriticalNative
  public static native double cosh(double x);

  @CriticalNative
  public static native double exp(double x);

  @CriticalNative
  public static native double expm1(double x);

  @CriticalNative
  public static native double log(double x);

  @CriticalNative
  public static native double log10(double x);

  @CriticalNative
  public static native double log1p(double x);

  @CriticalNative
  public static native double sinh(double x);

  @CriticalNative
  public static native double tan(double x);

  @CriticalNative
  public static native double tanh(double x);

  @CriticalNative
  public static native double sqrt(double x);

  @CriticalNative
  public static native double ceil(double x);

  @CriticalNative
  public static native double floor(double x);

  @CriticalNative
  public static native double rint(double x);

  @CriticalNative
  public static native double atan2(double y, double x);

  @CriticalNative
  public static native double pow(double base, double exponent);

  @CriticalNative
  public static native double hypot(double x, double y);

  @CriticalNative
  public static native double nextAfter(double start, double direction);

  public static int abs(int x) {
    return x < 0 ? -x : x;
  }

  public static long abs(long x) {
    return x < 0 ? -x : x;
  }

  public static float abs(float x) {
    return Float.intBitsToFloat(Float.floatToRawIntBits(x) & 0x7fffffff);
  }

  public static double abs(double x) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(x) & 0x7fffffffffffffffL);
  }

  public static int min(int a, int b) {
    return a < b ? a : b;
  }

  public static long min(long a, long b) {
    return a < b ? a : b;
  }

  public static float min(float a, float b) {
    if (a != a) {
      return a;
    }
    if (a == 0 && b == 0) {
      return Float.floatToRawIntBits(a) < 0 ? a : b;
    }
    return a < b ? a : b;
  }

  public static double min(double a, double b) {
    if (a != a) {
      return a;
    }
    if (a == 0 && b == 0) {
      return Double.doubleToRawLongBits(a) < 0 ? a : b;
    }
    return a < b ? a : b;
  }

  public static int max(int a, int b) {
    return a > b ? a : b;
  }

  public static long max(long a, long b) {
    return a > b ? a : b;
  }

  public static float max(float a, float b) {
    if (a != a) {
      return a;
    }
    if (a == 0 && b == 0) {
      return Float.floatToRawIntBits(a) < 0 ? b : a;
    }
    return a > b ? a : b;
  }

  public static double max(double a, double b) {
    if (a != a) {
      return a;
    }
    if (a == 0 && b == 0) {
      return Double.doubleToRawLongBits(a) < 0 ? b : a;
    }
    return a > b ? a : b;
  }

  public static int addExact(int x, int y) {
    int result = x + y;
    if (((x ^ result) & (y ^ result)) < 0) {
      throw new ArithmeticException("integer overflow");
    }
    return result;
  }

  public static long addExact(long x, long y) {
    long result = x + y;
    if (((x ^ result) & (y ^ result)) < 0) {
      throw new ArithmeticException("long overflow");
    }
    return result;
  }

  public static int subtractExact(int x, int y) {
    int result = x - y;
    if (((x ^ y) & (x ^ result)) < 0) {
      throw new ArithmeticException("integer overflow");
    }
    return result;
  }

  public static long subtractExact(long x, long y) {
    long result = x - y;
    if (((x ^ y) & (x ^ result)) < 0) {
      throw new ArithmeticException("long overflow");
    }
    return result;
  }

  public static int multiplyExact(int x, int y) {
    return toIntExact((long) x * y);
  }

  public static long multiplyExact(long x, long y) {
    long result = x * y;
    boolean overflows = x != 0 && (result / x != y || x == -1 && y == Long.MIN_VALUE);
    if (overflows) {
      throw new ArithmeticException("long overflow");
    }
    return result;
  }

  public static int incrementExact(int x) {
    return addExact(x, 1);
  }

  public static int negateExact(int x) {
    return subtractExact(0, x);
  }

  public static int toIntExact(long x) {
    if ((int) x != x) {
      throw new ArithmeticException("integer overflow");
    }
    return (int) x;
  }

  public static int floorDiv(int x, int y) {
    int quotient = x / y;
    return (x ^ y) < 0 && quotient * y != x ? quotient - 1 : quotient;
  }

  public static long floorDiv(long x, long y) {
    long quotient = x / y;
    return (x ^ y) < 0 && quotient * y != x ? quotient - 1 : quotient;
  }

  public static int floorMod(int x, int y) {
    return x - floorDiv(x, y) * y;
  }

  public static long floorMod(long x, long y) {
    return x - floorDiv(x, y) * y;
  }

  public static int round(float x) {
    return x != x ? 0 : (int) floor(x + 0.5);
  }

  /** Adds a half only where that is exact. */
  public static long round(double x) {
    if (x != x) {
      return 0;
    }
    double below = floor(x);
    return (long) (x - below >= 0.5 ? below + 1 : below);
  }

  public static double signum(double x) {
    return x > 0 ? 1.0 : x < 0 ? -1.0 : x;
  }

  public static float signum(float x) {
    return x > 0 ? 1.0f : x < 0 ? -1.0f : x;
  }

  public static double toRadians(double degrees) {
    return degrees / 180.0 * PI;
  }

  public static double toDegrees(double radians) {
    return radians * 180.0 / PI;
  }

  private Math() {}
}
