// SPDX-License-Identifier: Apache-2.0
package dalvik.system;

import java.nio.ByteBuffer;

/** Loads classes from dex data in memory. */
public final class InMemoryDexClassLoader extends BaseDexClassLoader {
  public InMemoryDexClassLoader(ByteBuffer buffer, ClassLoader parent) {
    this(new ByteBuffer[] {buffer}, parent);
  }

  public InMemoryDexClassLoader(ByteBuffer[] buffers, ClassLoader parent) {
    super(buffers, null, parent);
  }
}
