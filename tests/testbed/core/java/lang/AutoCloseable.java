// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Something that try-with-resources closes. */
public interface AutoCloseable {
  void close() throws Exception;
}
