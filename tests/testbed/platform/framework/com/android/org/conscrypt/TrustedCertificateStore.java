// SPDX-License-Identifier: Apache-2.0
package com.android.org.conscrypt;

import java.io.File;

/** In place of conscrypt's, which Debian does not have: ActivityThread.main sets a folder. */
public final class TrustedCertificateStore {
  private TrustedCertificateStore() {}

  public static void setDefaultUserDirectory(File folder) {}
}
