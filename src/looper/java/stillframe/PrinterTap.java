package stillframe;

import android.util.Printer;

/** The tap for any API level: one looper, by the text it prints before and after each message. Passes it on. */
final class PrinterTap implements Printer {
  private final long recorder;
  private final Printer next;
  private String dispatching;

  /** A null next is none. */
  PrinterTap(long recorder, Printer next) {
    this.recorder = recorder;
    this.next = next;
  }

  @Override
  public void println(String text) {
    if (text.length() > 0 && text.charAt(0) == '>') {
      // A message whose exception left the looper has no closing line: the next one closes it.
      finish();
      dispatching = text;
      Tap.begin(recorder);
    } else {
      finish();
    }
    if (next != null) {
      next.println(text);
    }
  }

  private void finish() {
    String text = dispatching;
    if (text != null) {
      dispatching = null;
      if (Tap.end(recorder)) {
        Tap.describeText(recorder, text);
      }
    }
  }
}
