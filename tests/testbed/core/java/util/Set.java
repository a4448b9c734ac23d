// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A collection without equal elements. */
public interface Set<E> extends Collection<E> {}
