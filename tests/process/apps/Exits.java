// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import dev.stillframe.Stillframe;
import fixture.scenario.TapInForce;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Hangs until it is killed, or reads how earlier processes ended. Its activity manager is a stand-in, which hands out
 * Android's own ApplicationExitInfo.
 *
 * <p>args: the library, then "hang", or "read" and the exits: a word "name=value;..." each.
 */
public final class Exits {
  private static final List<Object> EXITS = new ArrayList<>();
  private static volatile long sink;

  private Exits() {}

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Looper.prepareMainLooper();
    Handler main = new Handler();
    TapInForce.await(60_000);
    if (args[1].equals("hang")) {
      main.post(Exits::checkOut);
    } else {
      for (int i = 2; i < args.length; i++) {
        EXITS.add(0, exit(args[i])); // the newest first
      }
      Stillframe.readExits(new Context());
      Stillframe.readExits(new Context());
      System.out.println("sub-reason " + subReason());
    }
    Looper.loop();
  }

  private static void checkOut() {
    System.out.println("hangs");
    while (true) {
      sink++;
    }
  }

  private static Object exit(String words) throws ReflectiveOperationException {
    Class<?> type = Class.forName("android.app.ApplicationExitInfo");
    Object exit = type.getConstructor().newInstance();
    for (String word : words.split(";")) {
      String name = word.substring(0, word.indexOf('='));
      String value = word.substring(word.indexOf('=') + 1);
      switch (name) {
        case "Timestamp":
        case "Pss":
          type.getMethod("set" + name, long.class).invoke(exit, Long.parseLong(value));
          break;
        case "ProcessName":
        case "Description":
          type.getMethod("set" + name, String.class).invoke(exit, value);
          break;
        case "ProcessStateSummary":
          type.getMethod("set" + name, byte[].class).invoke(exit, (Object) fromHex(value));
          break;
        case "Trace":
          type.getMethod("setAppTraceRetriever", Class.forName("android.app.IAppTraceRetriever"))
              .invoke(exit, traces(value));
          break;
        default:
          type.getMethod("set" + name, int.class).invoke(exit, Integer.parseInt(value));
      }
    }
    return exit;
  }

  /** The system's other end, which hands out this file. */
  private static Object traces(String path) throws ClassNotFoundException {
    Class<?> type = Class.forName("android.app.IAppTraceRetriever");
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, args) -> path.isEmpty() ? null : descriptor(new File(path)));
  }

  /** Reads a text as ApplicationExitInfo.toString has it. That formats a time, and the test bed lacks ICU's data. */
  private static Object subReason() throws ReflectiveOperationException {
    Method method = Class.forName("dev.stillframe.ProcessExits").getDeclaredMethod("subReasonIn", String.class);
    method.setAccessible(true);
    return method.invoke(null, "ApplicationExitInfo(reason=3 (LOW_MEMORY) subreason=4 (TOO MANY EMPTY PROCS) status=0 pss=0)");
  }

  private static Object descriptor(File file) throws ReflectiveOperationException {
    Class<?> type = Class.forName("android.os.ParcelFileDescriptor");
    int readOnly = type.getField("MODE_READ_ONLY").getInt(null);
    return type.getMethod("open", File.class, int.class).invoke(null, file, readOnly);
  }

  private static byte[] fromHex(String text) {
    byte[] bytes = new byte[text.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  /** As android.content.Context has these methods. */
  public static final class Context {
    public Object getSystemService(String name) {
      return name.equals("activity") ? new Manager() : null;
    }

    public Object getPackageManager() {
      return new Packages();
    }

    public String getPackageName() {
      return "com.shop";
    }
  }

  /** As android.app.ActivityManager has these methods. */
  public static final class Manager {
    public List<Object> getHistoricalProcessExitReasons(String packageName, int pid, int most) {
      System.out.println("asked");
      return EXITS;
    }

    public void setProcessStateSummary(byte[] summary) {
      StringBuilder hex = new StringBuilder();
      for (byte each : summary) {
        hex.append(Integer.toHexString(each & 0xFF | 0x100).substring(1));
      }
      System.out.println("summary " + hex + " " + new String(summary, 0, 4, StandardCharsets.US_ASCII));
    }
  }

  /** As android.content.pm.PackageManager has this method. */
  public static final class Packages {
    public Object getPackageInfo(String name, int flags) {
      return new Info();
    }
  }

  /** As android.content.pm.PackageInfo has this field. */
  public static final class Info {
    public long lastUpdateTime = 1_000_000_000_000L;
  }
}
