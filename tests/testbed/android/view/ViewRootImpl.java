// SPDX-License-Identifier: Apache-2.0
package android.view;

/**
 * Stands in for the Choreographer's callbacks of input and traversal (AOSP 10 to 14,
 * core/java/android/view/ViewRootImpl.java). Each runs the given work.
 */
public final class ViewRootImpl {
  private final Choreographer mChoreographer = Choreographer.getInstance();

  /** The next frame takes up input. */
  public void scheduleConsumeBatchedInput(Runnable work) {
    mChoreographer.postCallback(
        Choreographer.CALLBACK_INPUT, new ConsumeBatchedInputRunnable(work), null);
  }

  /** The next frame measures, lays out and draws. */
  public void scheduleTraversals(Runnable work) {
    mChoreographer.postCallback(
        Choreographer.CALLBACK_TRAVERSAL, new TraversalRunnable(work), null);
  }

  final class ConsumeBatchedInputRunnable implements Runnable {
    private final Runnable mWork;

    ConsumeBatchedInputRunnable(Runnable work) {
      mWork = work;
    }

    @Override
    public void run() {
      mWork.run();
    }
  }

  final class TraversalRunnable implements Runnable {
    private final Runnable mWork;

    TraversalRunnable(Runnable work) {
      mWork = work;
    }

    @Override
    public void run() {
      mWork.run();
    }
  }
}
