// SPDX-License-Identifier: Apache-2.0
package bench;

import dalvik.system.PathClassLoader;
import java.util.Comparator;

/**
 * The cost of samples to the handler as in a real run: a real timer, caches filled by other work,
 * many libraries, and a stack of distinct methods. Arguments: JAR FOLDER [TAG]; the folder holds
 * the libraries, the tag becomes part of the rows' names.
 */
public final class InSitu {
  private static final int DEPTH = 32;
  private static final int BYTES = 64 << 20;

  /** Cache line in bytes; LINE_INTS: in ints. */
  private static final int LINE = 64;

  private static final int LINE_INTS = LINE / 4;

  /** Cache lines between calls of the C library; samples inside it need a library look-up. */
  private static final int LINES_OF_A_REMAINDER = 4;

  /** Innermost frame: walks a buffer larger than the caches until there are enough samples. */
  private static final class Work implements Comparator<Object> {
    static double sink;
    private final int[] buffer = new int[BYTES / 4];
    private final String tag;

    Work(String tag) {
      this.tag = tag;
    }

    @Override
    public int compare(Object links, Object depth) {
      long walked = 0;
      Natives.startInSitu((Integer) depth + 1);
      do {
        walk(buffer);
        walked += BYTES;
      } while (Natives.inSituGoesOn(walked, tag));
      return 0;
    }

    private static void walk(int[] buffer) {
      double sum = 1;
      for (int i = 0; i < buffer.length; i += LINE_INTS) {
        buffer[i]++;
        if (i % (LINE_INTS * LINES_OF_A_REMAINDER) == 0) {
          sum = (sum + buffer[i] + i) % 1009.5;
        }
      }
      sink = sum;
    }
  }

  private InSitu() {}

  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws ReflectiveOperationException {
    Natives.prepareSampler();
    Natives.loadLibraries(args[1]);
    // The other two frames are this one and the method that the work calls.
    Object[] links = new Object[DEPTH - 2];
    for (int i = 0; i < links.length - 1; i++) {
      ClassLoader loader = new PathClassLoader(args[0], Object.class.getClassLoader());
      links[i] = loader.loadClass("bench.Strangers$Link").newInstance();
    }
    links[links.length - 1] = new Work(args.length > 2 ? args[2] : "");
    ((Comparator<Object>) links[0]).compare(links, 1);
  }
}
