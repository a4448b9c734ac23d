package java.util.concurrent;

/** Makes threads. */
@FunctionalInterface
public interface ThreadFactory {
  Thread newThread(Runnable task);
}
