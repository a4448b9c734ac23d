// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent.locks;

/** A lock that many readers or one writer may hold. */
public interface ReadWriteLock {
  Lock readLock();

  Lock writeLock();
}
