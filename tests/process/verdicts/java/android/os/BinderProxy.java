// SPDX-License-Identifier: Apache-2.0
package android.os;

import java.io.FileInputStream;
import java.io.IOException;

/** The caller's end of a binder call, over a pipe: another process answers with one byte. */
public final class BinderProxy {
  private final String pipe;

  public BinderProxy(String pipe) {
    this.pipe = pipe;
  }

  public boolean transact() {
    try (FileInputStream reply = new FileInputStream(pipe)) {
      return reply.read() >= 0;
    } catch (IOException e) {
      throw new IllegalStateException(e.toString());
    }
  }
}
