// SPDX-License-Identifier: Apache-2.0
// A stub of Jetpack WorkManager, for the example: the names that it uses.
package androidx.work;

public final class OneTimeWorkRequest {
  final Class<? extends Worker> worker;

  private OneTimeWorkRequest(Class<? extends Worker> worker) {
    this.worker = worker;
  }

  public static final class Builder {
    private final Class<? extends Worker> worker;

    public Builder(Class<? extends Worker> worker) {
      this.worker = worker;
    }

    public Builder setConstraints(Constraints constraints) {
      return this;
    }

    public OneTimeWorkRequest build() {
      return new OneTimeWorkRequest(worker);
    }
  }
}
