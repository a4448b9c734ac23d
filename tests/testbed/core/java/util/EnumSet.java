// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set of one enum's constants, in their order. */
public class EnumSet<E extends Enum<E>> extends TreeSet<E> {
  private EnumSet() {}

  public static <E extends Enum<E>> EnumSet<E> noneOf(Class<E> type) {
    return new EnumSet<>();
  }

  public static <E extends Enum<E>> EnumSet<E> allOf(Class<E> type) {
    EnumSet<E> set = new EnumSet<>();
    Collections.addAll(set, type.getEnumConstants());
    return set;
  }

  @SafeVarargs
  public static <E extends Enum<E>> EnumSet<E> of(E first, E... others) {
    EnumSet<E> set = new EnumSet<>();
    set.add(first);
    Collections.addAll(set, others);
    return set;
  }
}
