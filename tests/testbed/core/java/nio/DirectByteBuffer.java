// SPDX-License-Identifier: Apache-2.0
package java.nio;

import dalvik.system.VMRuntime;
import libcore.io.Memory;

/** Native memory; ART creates one for JNI's NewDirectByteBuffer. */
public final class DirectByteBuffer extends MappedByteBuffer {
  /** Keeps the memory alive: an unmovable array, or another buffer; null: memory with another owner. */
  private final Object owner;

  DirectByteBuffer(int capacity) {
    super(0, capacity, capacity);
    VMRuntime runtime = VMRuntime.getRuntime();
    owner = runtime.newNonMovableArray(byte.class, capacity);
    address = runtime.addressOf(owner);
  }

  /** Called by ART. */
  private DirectByteBuffer(long address, int capacity) {
    this(address, 0, capacity, capacity, null);
  }

  private DirectByteBuffer(long address, int position, int limit, int capacity, Object owner) {
    super(position, limit, capacity);
    this.address = address;
    this.owner = owner;
  }

  @Override
  public byte get(int index) {
    checkIndex(index);
    return Memory.peekByte(address + index);
  }

  @Override
  public ByteBuffer put(int index, byte value) {
    checkWritable();
    checkIndex(index);
    Memory.pokeByte(address + index, value);
    return this;
  }

  @Override
  public ByteBuffer slice() {
    return new DirectByteBuffer(address + position, 0, remaining(), remaining(), this);
  }

  @Override
  public ByteBuffer duplicate() {
    return new DirectByteBuffer(address, position, limit, capacity, this);
  }
}
