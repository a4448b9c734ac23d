// SPDX-License-Identifier: Apache-2.0
package testbed;

import android.app.ActivityManager;
import android.app.ActivityTaskManager;
import android.app.ActivityThread;
import android.app.ApplicationLoaders;
import android.app.IActivityManager;
import android.app.IActivityTaskManager;
import android.app.IApplicationThread;
import android.content.pm.ApplicationInfo;
import android.content.pm.IPackageManager;
import android.content.pm.PackageInfo;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.os.Binder;
import android.os.Bundle;
import android.os.IServiceManager;
import android.os.Process;
import android.os.ServiceManager;
import android.util.Singleton;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Stand-ins for the processes that an application's calls go to: the system server's services, which answer nothing but
 * what starts an application. ActivityThread itself is Android's.
 */
public final class StandIns {
  static final String PACKAGE = "com.shop";

  private static String application;

  private StandIns() {}

  /** Puts the stand-ins in place. `application`: the class that the process is bound to, or null to bind none. */
  public static void install(String application) throws ReflectiveOperationException {
    StandIns.application = application;
    set(field(Singleton.class, "mInstance"), field(ActivityManager.class, "IActivityManagerSingleton").get(null),
        standIn(IActivityManager.class));
    set(field(Singleton.class, "mInstance"), field(ActivityTaskManager.class, "IActivityTaskManagerSingleton").get(null),
        standIn(IActivityTaskManager.class));
    set(field(ActivityThread.class, "sPackageManager"), null, standIn(IPackageManager.class));
    set(field(ServiceManager.class, "sServiceManager"), null, standIn(IServiceManager.class));
  }

  /** The natives of a class, as pairs of name and signature, for those that answer nothing. */
  static String[] nativesOf(String name) throws ClassNotFoundException {
    List<String> found = new ArrayList<>();
    for (Method method : Class.forName(name, false, StandIns.class.getClassLoader()).getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers())) {
        StringBuilder signature = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
          signature.append(descriptor(parameter));
        }
        found.add(method.getName());
        found.add(signature.append(')').append(descriptor(method.getReturnType())).toString());
      }
    }
    return found.toArray(new String[0]);
  }

  private static String descriptor(Class<?> type) {
    if (type == void.class) {
      return "V";
    }
    String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
    return array.substring(1).replace('.', '/');
  }

  /** An object of an interface whose methods answer nothing, but for those below. */
  private static <T> T standIn(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(StandIns.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
          switch (method.getName()) {
            case "asBinder":
              return new Binder();
            case "getPackageInfo":
              PackageInfo installed = new PackageInfo();
              installed.packageName = PACKAGE;
              installed.applicationInfo = applicationInfo();
              return installed;
            case "getApplicationInfo":
              return applicationInfo();
            case "attachApplication":
              if (application != null) {
                bind((IApplicationThread) arguments[0]);
              }
              return null;
            default:
              return nothingOf(method.getReturnType());
          }
        }));
  }

  private static Object nothingOf(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
  }

  private static ApplicationInfo applicationInfo() {
    ApplicationInfo info = new ApplicationInfo();
    info.packageName = PACKAGE;
    info.processName = PACKAGE;
    info.className = application;
    info.targetSdkVersion = 29;
    info.uid = Process.myUid();
    info.sourceDir = System.getProperty("java.class.path");
    info.publicSourceDir = info.sourceDir;
    info.dataDir = "/tmp";
    info.deviceProtectedDataDir = info.dataDir;
    info.credentialProtectedDataDir = info.dataDir;
    info.nativeLibraryDir = "/nonexistent";
    info.flags = ApplicationInfo.FLAG_SUPPORTS_SCREEN_DENSITIES | ApplicationInfo.FLAG_HAS_CODE;
    return info;
  }

  /** Binds the application, as the system server does. Its classes are those of this program. */
  private static void bind(IApplicationThread thread) throws Exception {
    ApplicationInfo info = applicationInfo();
    @SuppressWarnings("unchecked")
    Map<String, ClassLoader> loaders = (Map<String, ClassLoader>) field(ApplicationLoaders.class, "mLoaders").get(
        ApplicationLoaders.getDefault());
    loaders.put(info.sourceDir, ClassLoader.getSystemClassLoader());
    Configuration configuration = new Configuration();
    configuration.setLocale(Locale.US);
    thread.bindApplication(PACKAGE, info, null, null, null, null, null, null, 0, false, false, false, false,
        configuration, CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO, null, new Bundle(), "unknown", null, null);
  }

  private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static void set(Field field, Object owner, Object value) throws ReflectiveOperationException {
    field.set(owner, value);
  }
}
