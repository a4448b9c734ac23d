// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Marks classes whose objects Object.clone copies. */
public interface Cloneable {}
