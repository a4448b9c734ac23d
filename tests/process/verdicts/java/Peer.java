// SPDX-License-Identifier: Apache-2.0
import android.os.BinderProxy;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Another process, which is called by binder. It answers when a byte is in the pipe. */
final class Peer {
  private Peer() {}

  /** The proxy is made as the native half makes one: by its private method. Its native data is the pipe's descriptor. */
  static BinderProxy of(String pipe) {
    try {
      FileInputStream answer = new FileInputStream(pipe); // It stays open.
      Field number = FileDescriptor.class.getDeclaredField("descriptor");
      number.setAccessible(true);
      Method getInstance = BinderProxy.class.getDeclaredMethod("getInstance", long.class, long.class);
      getInstance.setAccessible(true);
      return (BinderProxy) getInstance.invoke(null, (long) number.getInt(answer.getFD()), 1L);
    } catch (Exception e) {
      throw new IllegalStateException(e.toString());
    }
  }
}
