// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.ArrayList;
import java.util.List;

/** A set of threads and groups. ART reads the two static groups and the fields that make up the tree. */
public class ThreadGroup implements Thread.UncaughtExceptionHandler {
  static final ThreadGroup systemThreadGroup = new ThreadGroup();
  static final ThreadGroup mainThreadGroup = new ThreadGroup(systemThreadGroup, "main");

  private final ThreadGroup parent;
  private final String name;
  private ThreadGroup[] groups = new ThreadGroup[4];
  private int ngroups;
  private final List<Thread> threads = new ArrayList<>();

  private ThreadGroup() {
    parent = null;
    name = "system";
  }

  public ThreadGroup(String name) {
    this(Thread.currentThread().getThreadGroup(), name);
  }

  public ThreadGroup(ThreadGroup parent, String name) {
    this.parent = parent;
    this.name = name;
    synchronized (parent) {
      if (parent.ngroups == parent.groups.length) {
        ThreadGroup[] larger = new ThreadGroup[parent.ngroups * 2];
        System.arraycopy(parent.groups, 0, larger, 0, parent.ngroups);
        parent.groups = larger;
      }
      parent.groups[parent.ngroups++] = this;
    }
  }

  public final String getName() {
    return name;
  }

  public final ThreadGroup getParent() {
    return parent;
  }

  public int activeCount() {
    List<Thread> all = new ArrayList<>();
    collect(all);
    return all.size();
  }

  /** Called by ART for threads that attach. */
  void add(Thread thread) {
    synchronized (this) {
      threads.add(thread);
    }
  }

  /** Called by ART when a thread ends. */
  void threadTerminated(Thread thread) {
    synchronized (this) {
      threads.remove(thread);
    }
  }

  /** Appends the threads of this group and of those below it. */
  void collect(List<Thread> result) {
    synchronized (this) {
      result.addAll(threads);
      for (int i = 0; i < ngroups; i++) {
        groups[i].collect(result);
      }
    }
  }

  /** Puts as many of the threads of this group and of those below it into the array as it has room for. */
  public int enumerate(Thread[] result) {
    List<Thread> all = new ArrayList<>();
    collect(all);
    int count = Math.min(all.size(), result.length);
    for (int i = 0; i < count; i++) {
      result[i] = all.get(i);
    }
    return count;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable exception) {
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    if (handler != null) {
      handler.uncaughtException(thread, exception);
    } else {
      System.err.print("Exception in thread \"" + thread.getName() + "\" ");
      exception.printStackTrace();
    }
  }

  @Override
  public String toString() {
    return getClass().getName() + "[name=" + name + "]";
  }
}
