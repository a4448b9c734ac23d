// SPDX-License-Identifier: Apache-2.0
// A stub of Jetpack WorkManager, for the example: the names that it uses.
package androidx.work;

public final class Constraints {
  public static final class Builder {
    public Builder setRequiredNetworkType(NetworkType type) {
      return this;
    }

    public Constraints build() {
      return new Constraints();
    }
  }
}
