// SPDX-License-Identifier: Apache-2.0
package programs;

import dalvik.system.DexClassLoader;
import dalvik.system.InMemoryDexClassLoader;
import dalvik.system.PathClassLoader;
import java.io.File;
import java.io.FileInputStream;
import java.nio.ByteBuffer;

/** Loads a jar, and a dex file in memory, with class loaders of its own; arguments: JAR DEX. */
public class Loaders {
  public static class Loaded {
    static int count = 0;

    public int next() {
      return ++count;
    }
  }

  static void check(ClassLoader loader) throws Exception {
    Class<?> loaded = loader.loadClass("programs.Loaders$Loaded");
    Object object = loaded.newInstance();
    System.out.println(
        loader.getClass().getSimpleName()
            + " own " + (loaded.getClassLoader() == loader)
            + " same " + (loaded == Loaded.class)
            + " next " + loaded.getMethod("next").invoke(object)
            + " boot " + (loader.loadClass("java.lang.String") == String.class));
    try {
      loader.loadClass("programs.None");
    } catch (ClassNotFoundException exception) {
      System.out.println("not found");
    }
  }

  static ByteBuffer read(String path) throws Exception {
    byte[] bytes = new byte[(int) new File(path).length()];
    try (FileInputStream in = new FileInputStream(path)) {
      if (in.read(bytes) != bytes.length) {
        throw new IllegalStateException(path + " is cut short");
      }
    }
    return ByteBuffer.wrap(bytes);
  }

  private static ByteBuffer direct(ByteBuffer bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.capacity());
    buffer.put(bytes.array()).flip();
    return buffer;
  }

  public static void main(String[] args) throws Exception {
    new Loaded().next();
    ClassLoader boot = Object.class.getClassLoader();
    ClassLoader app = Loaders.class.getClassLoader();
    check(new PathClassLoader(args[0], boot));
    check(new DexClassLoader(args[0], null, null, app));
    check(new InMemoryDexClassLoader(read(args[1]), boot));
    check(new InMemoryDexClassLoader(direct(read(args[1])), null));
    check(new PathClassLoader("", app));
  }
}
