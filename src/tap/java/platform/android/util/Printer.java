package android.util;

/** Platform class, for the compiler only. */
public interface Printer {
  void println(String text);
}
