// SPDX-License-Identifier: Apache-2.0
package java.nio;

/** A byte buffer in native memory. */
public abstract class MappedByteBuffer extends ByteBuffer {
  MappedByteBuffer(int position, int limit, int capacity) {
    super(position, limit, capacity, null, 0);
  }

  @Override
  public boolean isDirect() {
    return true;
  }
}
