// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.util.Arrays;
import java.util.Random;

/** Math, Random and arithmetic. */
public class Numerics {
  interface Body {
    Object run();
  }

  static String thrown(Body body) {
    try {
      return "no exception but " + body.run();
    } catch (RuntimeException exception) {
      return exception.toString();
    }
  }

  static String rounded(double... values) {
    StringBuilder text = new StringBuilder();
    for (double value : values) {
      text.append(String.format("%.10f ", value));
    }
    return text.toString();
  }

  public static void main(String[] args) {
    System.out.println(rounded(Math.sin(1), Math.cos(1), Math.tan(1), Math.asin(0.5), Math.acos(0.5), Math.atan(2), Math.atan2(-1, -2), Math.sinh(1), Math.cosh(1), Math.tanh(0.3)));
    System.out.println(rounded(Math.exp(1.5), Math.log(7), Math.log10(1000), Math.log1p(0.1), Math.expm1(0.1), Math.pow(2.5, 3.5), Math.sqrt(2), Math.cbrt(27), Math.hypot(3, 4), Math.toRadians(180), Math.toDegrees(Math.PI)));
    System.out.println(Math.floor(-1.5) + " " + Math.ceil(-1.5) + " " + Math.rint(2.5) + " " + Math.round(2.5) + " " + Math.round(-2.5) + " " + Math.round(2.4f) + " " + Math.round(0.49999999999999994) + " " + Math.round(1e300) + " " + Math.round(Double.NaN) + " " + Math.signum(-3.0));
    System.out.println(Math.abs(-5) + " " + Math.abs(-5.5) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.max(-0.0, 0.0) + " " + Math.min(-0.0, 0.0) + " " + Math.max(1, 2L) + " " + Math.min(Double.NaN, 1) + " " + Math.max(1f, Float.NaN));
    System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 3) + " " + Math.floorMod(-7L, 3L) + " " + Math.addExact(1, 2) + " " + Math.multiplyExact(3L, 4L) + " " + Math.toIntExact(5L));
    System.out.println(thrown(() -> Math.addExact(Integer.MAX_VALUE, 1)) + thrown(() -> Math.multiplyExact(1L << 62, 4L)) + thrown(() -> Math.toIntExact(1L << 40)) + thrown(() -> 1 / (args.length - args.length)).contains("ArithmeticException"));
    Random random = new Random(42);
    System.out.println(random.nextInt() + " " + random.nextInt(100) + " " + random.nextInt(64) + " " + random.nextLong() + " " + random.nextDouble() + " " + random.nextFloat() + " " + random.nextBoolean() + " " + random.nextGaussian() + " " + random.nextGaussian());
    byte[] bytes = new byte[7];
    random.nextBytes(bytes);
    System.out.println(Arrays.toString(bytes));
    int overflow = Integer.MAX_VALUE;
    overflow++;
    long shifted = 1L << 65;
    System.out.println(overflow + " " + shifted + " " + (1 << 33) + " " + (0.1 + 0.2) + " " + (float) 0.1 + " " + 5 % -3 + " " + -5 / 2 + " " + 5.5 % 2 + " " + (byte) 300 + " " + (short) 70000 + " " + (int) 'x' + " " + (long) 1e19 + " " + (0.0 == -0.0));
    double sum = 0;
    for (int i = 1; i <= 100000; i++) {
      sum += 1.0 / i;
    }
    System.out.println(sum);
    double random1 = Math.random();
    System.out.println(random1 >= 0 && random1 < 1);
  }
}
