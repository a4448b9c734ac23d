// SPDX-License-Identifier: Apache-2.0
// A stub of Jetpack WorkManager, for the example: the names that it uses.
package androidx.work;

public final class WorkerParameters {}
