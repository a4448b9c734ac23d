// SPDX-License-Identifier: Apache-2.0
package android.app.servertransaction;

/** The last part of a transaction, as in AOSP 9 to 16. */
public class ActivityLifecycleItem {}
