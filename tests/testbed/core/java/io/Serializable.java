// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Marks classes that may be serialized; nothing here does it. */
public interface Serializable {}
