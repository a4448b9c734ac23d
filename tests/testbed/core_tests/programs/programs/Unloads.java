// SPDX-License-Identifier: Apache-2.0
package programs;

import dalvik.system.DexClassLoader;
import dalvik.system.InMemoryDexClassLoader;
import dalvik.system.PathClassLoader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Class loaders of each kind come and go: the collector unloads their classes. Arguments: JAR DEX. */
public class Unloads {
  private static final int ROUNDS = 30;

  private static ClassLoader loader(int kind, String[] args) throws Exception {
    ClassLoader boot = Object.class.getClassLoader();
    switch (kind) {
      case 0:
        return new PathClassLoader(args[0], boot);
      case 1:
        return new DexClassLoader(args[0], null, null, boot);
      default:
        return new InMemoryDexClassLoader(Loaders.read(args[1]), boot);
    }
  }

  private static WeakReference<Class<?>> loadOne(int kind, String[] args) throws Exception {
    Class<?> loaded = loader(kind, args).loadClass("programs.Loaders$Loaded");
    loaded.getMethod("next").invoke(loaded.newInstance());
    return new WeakReference<>(loaded);
  }

  public static void main(String[] args) throws Exception {
    for (int kind = 0; kind < 3; kind++) {
      List<WeakReference<Class<?>>> loaded = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        loaded.add(loadOne(kind, args));
      }
      Runtime.getRuntime().gc();
      System.runFinalization();
      Runtime.getRuntime().gc();
      int alive = 0;
      for (WeakReference<Class<?>> reference : loaded) {
        alive += reference.get() != null ? 1 : 0;
      }
      System.out.println("kind " + kind + " alive " + alive + " of " + loaded.size());
    }
  }
}
