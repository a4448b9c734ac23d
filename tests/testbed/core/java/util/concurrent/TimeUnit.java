// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

/** A unit of time. */
public enum TimeUnit {
  NANOSECONDS(1L),
  MICROSECONDS(1000L),
  MILLISECONDS(1000000L),
  SECONDS(1000000000L),
  MINUTES(60000000000L),
  HOURS(3600000000000L),
  DAYS(86400000000000L);

  private final long nanos;

  TimeUnit(long nanos) {
    this.nanos = nanos;
  }

  /** Converts to this unit; rounds towards zero and stops at the ends of long. */
  public long convert(long duration, TimeUnit unit) {
    if (unit.nanos < nanos) {
      return duration / (nanos / unit.nanos);
    }
    long factor = unit.nanos / nanos;
    if (duration > Long.MAX_VALUE / factor) {
      return Long.MAX_VALUE;
    }
    return duration < Long.MIN_VALUE / factor ? Long.MIN_VALUE : duration * factor;
  }

  public long toNanos(long duration) {
    return NANOSECONDS.convert(duration, this);
  }

  public long toMicros(long duration) {
    return MICROSECONDS.convert(duration, this);
  }

  public long toMillis(long duration) {
    return MILLISECONDS.convert(duration, this);
  }

  public long toSeconds(long duration) {
    return SECONDS.convert(duration, this);
  }

  public long toMinutes(long duration) {
    return MINUTES.convert(duration, this);
  }

  public long toHours(long duration) {
    return HOURS.convert(duration, this);
  }

  public long toDays(long duration) {
    return DAYS.convert(duration, this);
  }

  public void sleep(long duration) throws InterruptedException {
    long left = toNanos(duration);
    if (left > 0) {
      Thread.sleep(left / 1000000, (int) (left % 1000000));
    }
  }

  /** Waits on a monitor that the caller holds, unless the time is zero or less. */
  public void timedWait(Object monitor, long duration) throws InterruptedException {
    long left = toNanos(duration);
    if (left > 0) {
      monitor.wait(left / 1000000, (int) (left % 1000000));
    }
  }

  public void timedJoin(Thread thread, long duration) throws InterruptedException {
    if (duration > 0) {
      thread.join(Math.max(1, toMillis(duration)));
    }
  }
}
