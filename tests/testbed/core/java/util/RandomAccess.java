// SPDX-License-Identifier: Apache-2.0
package java.util;

/** Marks lists whose elements are reached by index in constant time. */
public interface RandomAccess {}
