// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/** The process: its standard streams, clocks, environment and properties. */
public final class System {
  public static final InputStream in = new FileInputStream(FileDescriptor.in);
  public static final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));
  public static final PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err));

  private static final Map<String, String> PROPERTIES = new HashMap<>();

  static {
    PROPERTIES.put("java.vm.name", "Dalvik");
    PROPERTIES.put("java.vm.version", dalvik.system.VMRuntime.getRuntime().vmVersion());
    PROPERTIES.put("java.vendor", "The Stillframe test bed");
    PROPERTIES.put("java.version", "0");
    PROPERTIES.put("java.specification.version", "1.8");
    PROPERTIES.put("java.class.path", dalvik.system.VMRuntime.getRuntime().classPath());
    PROPERTIES.put("os.name", "Linux");
    PROPERTIES.put("os.arch", dalvik.system.VMRuntime.getRuntime().vmInstructionSet());
    PROPERTIES.put("file.separator", "/");
    PROPERTIES.put("path.separator", ":");
    PROPERTIES.put("line.separator", "\n");
    PROPERTIES.put("user.dir", workingDirectory());
    PROPERTIES.put("java.io.tmpdir", "/tmp");
    for (String option : dalvik.system.VMRuntime.getRuntime().properties()) {
      int equals = option.indexOf('=');
      PROPERTIES.put(
          equals < 0 ? option : option.substring(0, equals), equals < 0 ? "" : option.substring(equals + 1));
    }
  }

  public static native long currentTimeMillis();

  public static native long nanoTime();

  public static native void arraycopy(Object from, int fromStart, Object to, int toStart, int length);

  // ART's compiler calls these where it knows the arrays' types (InstructionSimplifierVisitor::SimplifySystemArrayCopy), in
  // their own code too: what they call must not be the copy of any array.
  public static void arraycopy(char[] from, int fromStart, char[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyCharUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyCharUnchecked(char[] from, int fromStart, char[] to, int toStart, int length);

  private static void arraycopy(boolean[] from, int fromStart, boolean[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyBooleanUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyBooleanUnchecked(boolean[] from, int fromStart, boolean[] to, int toStart, int length);

  private static void arraycopy(byte[] from, int fromStart, byte[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyByteUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyByteUnchecked(byte[] from, int fromStart, byte[] to, int toStart, int length);

  private static void arraycopy(short[] from, int fromStart, short[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyShortUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyShortUnchecked(short[] from, int fromStart, short[] to, int toStart, int length);

  private static void arraycopy(int[] from, int fromStart, int[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyIntUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyIntUnchecked(int[] from, int fromStart, int[] to, int toStart, int length);

  private static void arraycopy(long[] from, int fromStart, long[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyLongUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyLongUnchecked(long[] from, int fromStart, long[] to, int toStart, int length);

  private static void arraycopy(float[] from, int fromStart, float[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyFloatUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyFloatUnchecked(float[] from, int fromStart, float[] to, int toStart, int length);

  private static void arraycopy(double[] from, int fromStart, double[] to, int toStart, int length) {
    checkRanges(from.length, fromStart, to.length, toStart, length);
    arraycopyDoubleUnchecked(from, fromStart, to, toStart, length);
  }

  private static native void arraycopyDoubleUnchecked(double[] from, int fromStart, double[] to, int toStart, int length);

  private static void checkRanges(int fromLength, int fromStart, int toLength, int toStart, int length) {
    if (fromStart < 0 || toStart < 0 || length < 0 || fromStart > fromLength - length || toStart > toLength - length) {
      throw new ArrayIndexOutOfBoundsException("src.length=" + fromLength + " srcPos=" + fromStart + " dst.length="
          + toLength + " dstPos=" + toStart + " length=" + length);
    }
  }

  public static int identityHashCode(Object object) {
    return Object.identityHashCode(object);
  }

  public static String lineSeparator() {
    return "\n";
  }

  /** The value of an environment variable, or null. */
  public static native String getenv(String name);

  public static Map<String, String> getenv() {
    Map<String, String> all = new HashMap<>();
    for (String entry : environment()) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        all.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    return all;
  }

  public static String getProperty(String name) {
    synchronized (PROPERTIES) {
      return PROPERTIES.get(name);
    }
  }

  public static String getProperty(String name, String otherwise) {
    String value = getProperty(name);
    return value == null ? otherwise : value;
  }

  public static String setProperty(String name, String value) {
    synchronized (PROPERTIES) {
      return PROPERTIES.put(name, value);
    }
  }

  public static void exit(int status) {
    Runtime.getRuntime().exit(status);
  }

  public static void gc() {
    Runtime.getRuntime().gc();
  }

  public static void runFinalization() {
    Runtime.getRuntime().runFinalization();
  }

  public static void load(String path) {
    Runtime.getRuntime().load(path);
  }

  public static void loadLibrary(String name) {
    Runtime.getRuntime().loadLibrary(name);
  }

  public static String mapLibraryName(String name) {
    return "lib" + name + ".so";
  }

  private static native String[] environment();

  private static native String workingDirectory();

  private System() {}
}
