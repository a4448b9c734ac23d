// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A byte buffer in an array. */
final class HeapByteBuffer extends ByteBuffer {
  HeapByteBuffer(int position, int limit, int capacity, byte[] array, int offset) {
    super(position, limit, capacity, array, offset);
  }

  @Override
  public byte get(int index) {
    checkIndex(index);
    return hb[offset + index];
  }

  @Override
  public ByteBuffer put(int index, byte value) {
    checkWritable();
    checkIndex(index);
    hb[offset + index] = value;
    return this;
  }

  @Override
  public ByteBuffer slice() {
    return new HeapByteBuffer(0, remaining(), remaining(), hb, offset + position);
  }

  @Override
  public ByteBuffer duplicate() {
    return new HeapByteBuffer(position, limit, capacity, hb, offset);
  }

  @Override
  public boolean isDirect() {
    return false;
  }
}
