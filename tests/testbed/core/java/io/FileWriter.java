// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Writes a text file. */
public class FileWriter extends OutputStreamWriter {
  public FileWriter(String path) throws IOException {
    super(new FileOutputStream(path));
  }

  public FileWriter(File file) throws IOException {
    this(file.getPath());
  }
}
