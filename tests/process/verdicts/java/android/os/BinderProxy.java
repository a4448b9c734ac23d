// SPDX-License-Identifier: Apache-2.0
package android.os;

import java.io.FileInputStream;
import java.io.IOException;

/** The caller's end of a binder call where the framework has none: Peer says what its native data is. */
public final class BinderProxy {
  private final long mNativeData;

  private BinderProxy(long nativeData) {
    mNativeData = nativeData;
  }

  private static BinderProxy getInstance(long nativeData, long iBinder) {
    return new BinderProxy(nativeData);
  }

  public boolean transact(int code, Parcel data, Parcel reply, int flags) {
    try (FileInputStream answer = new FileInputStream("/proc/self/fd/" + mNativeData)) {
      return answer.read() >= 0;
    } catch (IOException e) {
      throw new IllegalStateException(e.toString());
    }
  }
}
