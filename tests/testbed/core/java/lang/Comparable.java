package java.lang;

/** Has a natural order. */
public interface Comparable<T> {
  int compareTo(T other);
}
