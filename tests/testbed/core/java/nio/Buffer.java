// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A region of memory with a position and a limit. ART reads the fields, also of direct buffers. */
public abstract class Buffer {
  int mark = -1;
  int position;
  int limit;
  final int capacity;

  /** The memory of a direct buffer, else 0. */
  long address;

  /** The binary logarithm of an element's size in bytes. */
  final int _elementSizeShift;

  Buffer(int position, int limit, int capacity, int elementSizeShift) {
    this.position = position;
    this.limit = limit;
    this.capacity = capacity;
    _elementSizeShift = elementSizeShift;
  }

  public final int capacity() {
    return capacity;
  }

  public final int position() {
    return position;
  }

  public Buffer position(int newPosition) {
    if (newPosition < 0 || newPosition > limit) {
      throw new IllegalArgumentException("Bad position " + newPosition + "/" + limit);
    }
    position = newPosition;
    mark = mark > position ? -1 : mark;
    return this;
  }

  public final int limit() {
    return limit;
  }

  public Buffer limit(int newLimit) {
    if (newLimit < 0 || newLimit > capacity) {
      throw new IllegalArgumentException("Bad limit " + newLimit + "/" + capacity);
    }
    limit = newLimit;
    position = Math.min(position, limit);
    mark = mark > limit ? -1 : mark;
    return this;
  }

  public Buffer mark() {
    mark = position;
    return this;
  }

  public Buffer reset() {
    if (mark < 0) {
      throw new IllegalStateException("Mark not set");
    }
    position = mark;
    return this;
  }

  public Buffer clear() {
    position = 0;
    limit = capacity;
    mark = -1;
    return this;
  }

  public Buffer flip() {
    limit = position;
    position = 0;
    mark = -1;
    return this;
  }

  public Buffer rewind() {
    position = 0;
    mark = -1;
    return this;
  }

  public final int remaining() {
    return limit - position;
  }

  public final boolean hasRemaining() {
    return position < limit;
  }

  public abstract boolean isDirect();

  public abstract boolean isReadOnly();
}
