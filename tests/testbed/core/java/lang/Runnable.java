package java.lang;

/** Code to run. */
@FunctionalInterface
public interface Runnable {
  void run();
}
