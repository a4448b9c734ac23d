// SPDX-License-Identifier: Apache-2.0
package java.io;

/** Reads a text file. */
public class FileReader extends InputStreamReader {
  public FileReader(String path) throws FileNotFoundException {
    super(new FileInputStream(path));
  }

  public FileReader(File file) throws FileNotFoundException {
    this(file.getPath());
  }
}
