// SPDX-License-Identifier: Apache-2.0
package android.os;

/** Arguments and results of a binder call. */
public final class Parcel {
  private Parcel() {}
}
