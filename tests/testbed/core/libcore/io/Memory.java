// SPDX-License-Identifier: Apache-2.0
package libcore.io;

/** Native memory, byte by byte. */
public final class Memory {
  public static native byte peekByte(long address);

  public static native void pokeByte(long address, byte value);

  private Memory() {}
}
