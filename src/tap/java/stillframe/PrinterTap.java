// SPDX-License-Identifier: Apache-2.0
// The Printer in Looper.mLogging.
package stillframe;

import android.util.Printer;

/** The tap for any API level: one Looper, by the text printed before and after each message. Forwards it. */
final class PrinterTap implements Printer {
  private static final String FRAME = ">>>>> Dispatching to Handler (android.view.Choreographer$FrameHandler)";

  private final int number;
  private final Printer next;
  private String dispatching;
  private String before;

  /** A null `next`: none. */
  PrinterTap(int number, Printer next) {
    this.number = number;
    this.next = next;
  }

  @Override
  public void println(String text) {
    if (text.length() > 0 && text.charAt(0) == '>') {
      // After an exception a message has no closing line: the next message closes it.
      finish();
      dispatching = text;
      Tap.begin(number);
    } else {
      finish();
    }
    if (next != null) {
      next.println(text);
    }
  }

  /** Whether the running message was printed to it. For the main thread alone. */
  boolean isDispatching() {
    return dispatching != null;
  }

  private void finish() {
    String text = dispatching;
    if (text == null) {
      return;
    }
    dispatching = null;
    int ended = Tap.end(number);
    if (ended == 0) {
      return;
    }
    if ((ended & Tap.DESCRIBE_RUN) != 0) {
      Tap.describeText(before, true);
    }
    if ((ended & Tap.DESCRIBE) != 0) {
      Tap.describeText(text, false);
    }
    before = text;
    if (text.startsWith(FRAME)) {
      Tap.frame(0);
    }
  }
}
