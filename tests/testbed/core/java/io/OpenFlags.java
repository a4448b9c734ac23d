// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Flags of open(2) on Linux. */
final class OpenFlags {
  static final int READ = 0;
  static final int CREATE_AND_TRUNCATE = 01 | 0100 | 01000;
  static final int CREATE_AND_APPEND = 01 | 0100 | 02000;

  private OpenFlags() {}
}
