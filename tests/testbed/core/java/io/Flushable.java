// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A stream that can be flushed. */
public interface Flushable {
  void flush() throws IOException;
}
