// SPDX-License-Identifier: Apache-2.0
package com.android.internal.util;

import java.util.Collection;

/** Stands in for the class of this name, which Android 14 has in a source package that Debian lacks. */
public final class Preconditions {
  public static <T> T checkNotNull(T reference) {
    return checkNotNull(reference, null);
  }

  public static <T> T checkNotNull(T reference, Object message) {
    if (reference == null) {
      throw new NullPointerException(String.valueOf(message));
    }
    return reference;
  }

  public static <T> T checkNotNull(T reference, String message, Object... arguments) {
    if (reference == null) {
      throw new NullPointerException(String.format(message, arguments));
    }
    return reference;
  }

  public static void checkArgument(boolean expression) {
    if (!expression) {
      throw new IllegalArgumentException();
    }
  }

  public static void checkArgument(boolean expression, Object message) {
    if (!expression) {
      throw new IllegalArgumentException(String.valueOf(message));
    }
  }

  public static void checkArgument(boolean expression, String message, Object... arguments) {
    if (!expression) {
      throw new IllegalArgumentException(String.format(message, arguments));
    }
  }

  public static <T extends CharSequence> T checkStringNotEmpty(T string) {
    return checkStringNotEmpty(string, null);
  }

  public static <T extends CharSequence> T checkStringNotEmpty(T string, Object message) {
    checkArgument(string != null && string.length() > 0, message);
    return string;
  }

  public static void checkState(boolean expression) {
    checkState(expression, null);
  }

  public static void checkState(boolean expression, String message) {
    if (!expression) {
      throw new IllegalStateException(message);
    }
  }

  public static int checkFlagsArgument(int requested, int allowed) {
    checkArgument((requested & allowed) == requested, "unknown flags");
    return requested;
  }

  public static int checkArgumentNonnegative(int value) {
    return checkArgumentNonnegative(value, null);
  }

  public static int checkArgumentNonnegative(int value, String message) {
    checkArgument(value >= 0, (Object) message);
    return value;
  }

  public static long checkArgumentNonnegative(long value, String message) {
    checkArgument(value >= 0, (Object) message);
    return value;
  }

  public static int checkArgumentPositive(int value, String message) {
    checkArgument(value > 0, (Object) message);
    return value;
  }

  public static float checkArgumentNonNegative(float value, String message) {
    checkArgument(value >= 0, (Object) message);
    return value;
  }

  public static float checkArgumentFinite(float value, String name) {
    checkArgument(!Float.isNaN(value) && !Float.isInfinite(value), (Object) name);
    return value;
  }

  public static int checkArgumentInRange(int value, int lower, int upper, String name) {
    checkArgument(value >= lower && value <= upper, (Object) name);
    return value;
  }

  public static long checkArgumentInRange(long value, long lower, long upper, String name) {
    checkArgument(value >= lower && value <= upper, (Object) name);
    return value;
  }

  public static float checkArgumentInRange(float value, float lower, float upper, String name) {
    checkArgument(value >= lower && value <= upper, (Object) name);
    return value;
  }

  public static <T> T[] checkArrayElementsNotNull(T[] values, String name) {
    for (T value : checkNotNull(values, (Object) name)) {
      checkNotNull(value, (Object) name);
    }
    return values;
  }

  public static <C extends Collection<T>, T> C checkCollectionElementsNotNull(C values, String name) {
    for (T value : checkNotNull(values, (Object) name)) {
      checkNotNull(value, (Object) name);
    }
    return values;
  }

  public static <T> Collection<T> checkCollectionNotEmpty(Collection<T> values, String name) {
    checkArgument(values != null && !values.isEmpty(), (Object) name);
    return values;
  }

  public static float[] checkArrayElementsInRange(float[] values, float lower, float upper, String name) {
    for (float value : checkNotNull(values, (Object) name)) {
      checkArgumentInRange(value, lower, upper, name);
    }
    return values;
  }

  private Preconditions() {}
}
