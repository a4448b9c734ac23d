// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** Lets a number of threads wait for each other, again and again. */
public class CyclicBarrier {
  private final int parties;
  private final Runnable action;
  private int waiting;
  private long round;
  private boolean broken;

  public CyclicBarrier(int parties) {
    this(parties, null);
  }

  public CyclicBarrier(int parties, Runnable action) {
    this.parties = parties;
    this.action = action;
  }

  /** How many were still missing on arrival. */
  public int await() throws InterruptedException, BrokenBarrierException {
    synchronized (this) {
      int index = parties - ++waiting;
      if (broken) {
        throw new BrokenBarrierException();
      }
      if (index == 0) {
        if (action != null) {
          action.run();
        }
        waiting = 0;
        round++;
        notifyAll();
        return 0;
      }
      long own = round;
      try {
        while (own == round && !broken) {
          wait();
        }
      } catch (InterruptedException exception) {
        broken = true;
        notifyAll();
        throw exception;
      }
      if (own == round) {
        throw new BrokenBarrierException();
      }
      return index;
    }
  }

  public int getParties() {
    return parties;
  }

  public boolean isBroken() {
    synchronized (this) {
      return broken;
    }
  }
}
