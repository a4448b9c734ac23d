package java.util.concurrent;

/** Runs tasks. */
public interface Executor {
  void execute(Runnable task);
}
