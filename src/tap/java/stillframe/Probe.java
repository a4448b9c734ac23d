// SPDX-License-Identifier: Apache-2.0
// A tap by public API alone.
package stillframe;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;

/**
 * A message of ours at the head of the main Looper's queue, asynchronous so that no barrier holds it. It runs when the
 * running message ends. It also finds out whether the Looper has a Printer without reading the field: Looper then
 * prints the message's target before it dispatches the message (AOSP 8-17, core/java/android/os/Looper.java).
 */
final class Probe extends Handler {
  /** States of the last probe. Shared with src/tap/tap.cc. */
  private static final int NO_LOOPER = 0;

  private static final int WAITING = 1;
  private static final int DONE = 2;
  private static final int REFUSED = 3;

  private static Probe last;

  private final int number;
  private final Looper looper;
  /** Null: the messages are the tap. */
  private final PrinterTap printer;

  /** Written by the main thread, and by the thread that sends a message while none waits. */
  private volatile int state = DONE;

  private boolean wasSet;
  private boolean isPrinted;

  private Probe(Looper looper, int number, PrinterTap printer) {
    super(looper);
    this.looper = looper;
    this.number = number;
    this.printer = printer;
  }

  /**
   * Sends a message, unless one waits, and returns the state before. By the collector alone. A new number or kind
   * begins anew. With a Printer: DONE if it is in force, REFUSED if another one has its place. `isLost`: the one that
   * waits was taken from the queue and never ran, because the Looper's Printer threw.
   */
  static int send(int number, boolean withPrinter, boolean isLost) {
    if (last == null || last.number != number || (last.printer != null) != withPrinter) {
      Looper main = Looper.getMainLooper();
      if (main == null) {
        return NO_LOOPER;
      }
      last = new Probe(main, number, withPrinter ? new PrinterTap(number, null) : null);
      last.send();
      return withPrinter ? WAITING : DONE;
    }
    int before = last.state;
    if (before == WAITING && isLost && withPrinter) {
      last.state = REFUSED;
      return REFUSED;
    }
    if (before == DONE || (before == WAITING && isLost)) {
      last.send();
    }
    return before;
  }

  private void send() {
    state = WAITING;
    Message message = Message.obtain(this);
    message.setAsynchronous(true);
    if (!sendMessageAtFrontOfQueue(message)) {
      state = REFUSED; // the Looper quits
    }
  }

  /** Called by Looper for its Printer. */
  @Override
  public String toString() {
    isPrinted = true;
    return "stillframe.Probe";
  }

  @Override
  public void handleMessage(Message message) {
    if (printer == null) {
      Tap.begin(number);
      int ended = Tap.end(number);
      if (ended != 0) {
        Tap.ended(ended, message, false);
      }
      state = DONE;
    } else {
      state = putPrinter();
      isPrinted = false;
    }
  }

  /** The application's own Printer stays. Ours is put where there is none, once. */
  private int putPrinter() {
    if (printer.isDispatching()) {
      return DONE;
    }
    if (isPrinted || wasSet) {
      return REFUSED;
    }
    looper.setMessageLogging(printer);
    wasSet = true;
    return DONE;
  }
}
