// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** Bytes in an array or in native memory. ART reads the fields. */
public abstract class ByteBuffer extends Buffer implements Comparable<ByteBuffer> {
  /** The array of a heap buffer, else null. */
  final byte[] hb;

  final int offset;
  boolean isReadOnly;
  boolean littleEndian;

  ByteBuffer(int position, int limit, int capacity, byte[] array, int offset) {
    super(position, limit, capacity, 0);
    hb = array;
    this.offset = offset;
  }

  public static ByteBuffer allocate(int capacity) {
    return new HeapByteBuffer(0, capacity, capacity, new byte[capacity], 0);
  }

  /** The memory lives as long as the buffer, in an array that the collector does not move. */
  public static ByteBuffer allocateDirect(int capacity) {
    return new DirectByteBuffer(capacity);
  }

  public static ByteBuffer wrap(byte[] array) {
    return wrap(array, 0, array.length);
  }

  public static ByteBuffer wrap(byte[] array, int start, int length) {
    return new HeapByteBuffer(start, start + length, array.length, array, 0);
  }

  public abstract byte get(int index);

  public abstract ByteBuffer put(int index, byte value);

  public abstract ByteBuffer slice();

  public abstract ByteBuffer duplicate();

  final int takeForRead(int bytes) {
    if (remaining() < bytes) {
      throw new BufferUnderflowException();
    }
    position += bytes;
    return position - bytes;
  }

  final int takeForWrite(int bytes) {
    if (remaining() < bytes) {
      throw new BufferOverflowException();
    }
    position += bytes;
    return position - bytes;
  }

  final void checkIndex(int index) {
    if (index < 0 || index >= limit) {
      throw new IndexOutOfBoundsException("index=" + index + " out of bounds (limit=" + limit + ")");
    }
  }

  final void checkWritable() {
    if (isReadOnly) {
      throw new ReadOnlyBufferException();
    }
  }

  public byte get() {
    return get(takeForRead(1));
  }

  public ByteBuffer put(byte value) {
    return put(takeForWrite(1), value);
  }

  public ByteBuffer get(byte[] target) {
    return get(target, 0, target.length);
  }

  public ByteBuffer get(byte[] target, int start, int length) {
    int from = takeForRead(length);
    for (int i = 0; i < length; i++) {
      target[start + i] = get(from + i);
    }
    return this;
  }

  public ByteBuffer put(byte[] source) {
    return put(source, 0, source.length);
  }

  public ByteBuffer put(byte[] source, int start, int length) {
    int to = takeForWrite(length);
    for (int i = 0; i < length; i++) {
      put(to + i, source[start + i]);
    }
    return this;
  }

  public ByteBuffer put(ByteBuffer source) {
    while (source.hasRemaining()) {
      put(source.get());
    }
    return this;
  }

  private long read(int index, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | get(index + (littleEndian ? bytes - 1 - i : i)) & 0xff;
    }
    return value;
  }

  private ByteBuffer write(int index, int bytes, long value) {
    for (int i = 0; i < bytes; i++) {
      put(index + (littleEndian ? i : bytes - 1 - i), (byte) (value >> 8 * i));
    }
    return this;
  }

  public short getShort() {
    return getShort(takeForRead(2));
  }

  public short getShort(int index) {
    return (short) read(index, 2);
  }

  public ByteBuffer putShort(short value) {
    return write(takeForWrite(2), 2, value);
  }

  public int getInt() {
    return getInt(takeForRead(4));
  }

  public int getInt(int index) {
    return (int) read(index, 4);
  }

  public ByteBuffer putInt(int value) {
    return write(takeForWrite(4), 4, value);
  }

  public ByteBuffer putInt(int index, int value) {
    return write(index, 4, value);
  }

  public long getLong() {
    return getLong(takeForRead(8));
  }

  public long getLong(int index) {
    return read(index, 8);
  }

  public ByteBuffer putLong(long value) {
    return write(takeForWrite(8), 8, value);
  }

  public ByteBuffer putLong(int index, long value) {
    return write(index, 8, value);
  }

  public double getDouble() {
    return Double.longBitsToDouble(getLong());
  }

  public ByteBuffer putDouble(double value) {
    return putLong(Double.doubleToRawLongBits(value));
  }

  public final boolean hasArray() {
    return hb != null && !isReadOnly;
  }

  public final byte[] array() {
    if (hb == null) {
      throw new UnsupportedOperationException("no array");
    }
    checkWritable();
    return hb;
  }

  public final int arrayOffset() {
    return offset;
  }

  @Override
  public boolean isReadOnly() {
    return isReadOnly;
  }

  public final ByteOrder order() {
    return littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  public final ByteBuffer order(ByteOrder order) {
    littleEndian = order == ByteOrder.LITTLE_ENDIAN;
    return this;
  }

  @Override
  public int compareTo(ByteBuffer other) {
    int shared = Math.min(remaining(), other.remaining());
    for (int i = 0; i < shared; i++) {
      int result = Byte.compare(get(position + i), other.get(other.position + i));
      if (result != 0) {
        return result;
      }
    }
    return remaining() - other.remaining();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteBuffer && compareTo((ByteBuffer) other) == 0;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = limit - 1; i >= position; i--) {
      hash = 31 * hash + get(i);
    }
    return hash;
  }

  @Override
  public String toString() {
    return getClass().getName() + "[pos=" + position + " lim=" + limit + " cap=" + capacity + "]";
  }
}
