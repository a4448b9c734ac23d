// SPDX-License-Identifier: Apache-2.0
package java.io;

/** A path, and what the file system says about it. */
public class File implements Comparable<File> {
  public static final char separatorChar = '/';
  public static final String separator = "/";
  public static final String pathSeparator = ":";

  /** The answers of {@link #kind}. */
  private static final int REGULAR = 1;

  private static final int FOLDER = 2;

  private final String path;

  public File(String path) {
    boolean trailing = path.length() > 1 && path.endsWith("/");
    this.path = trailing ? path.substring(0, path.length() - 1) : path;
  }

  public File(String folder, String name) {
    this(folder == null ? name : folder + "/" + name);
  }

  public File(File folder, String name) {
    this(folder == null ? null : folder.path, name);
  }

  public String getPath() {
    return path;
  }

  public String getName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public String getParent() {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? null : slash == 0 ? "/" : path.substring(0, slash);
  }

  public File getParentFile() {
    String parent = getParent();
    return parent == null ? null : new File(parent);
  }

  public boolean isAbsolute() {
    return path.startsWith("/");
  }

  public String getAbsolutePath() {
    return isAbsolute() ? path : System.getProperty("user.dir") + "/" + path;
  }

  public File getAbsoluteFile() {
    return new File(getAbsolutePath());
  }

  public boolean exists() {
    return kind(path) > 0;
  }

  public boolean isFile() {
    return kind(path) == REGULAR;
  }

  public boolean isDirectory() {
    return kind(path) == FOLDER;
  }

  public long length() {
    return length(path);
  }

  public boolean delete() {
    return delete(path);
  }

  public boolean mkdir() {
    return makeFolder(path);
  }

  public boolean mkdirs() {
    File parent = getParentFile();
    return !exists() && (parent == null || parent.exists() || parent.mkdirs()) && mkdir();
  }

  public boolean renameTo(File target) {
    return rename(path, target.path);
  }

  /** The names in a folder, or null. */
  public String[] list() {
    return list(path);
  }

  @Override
  public int compareTo(File other) {
    return path.compareTo(other.path);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof File && ((File) other).path.equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path;
  }

  /** 0 if there is none, else REGULAR, FOLDER or another positive number. */
  private static native int kind(String path);

  private static native long length(String path);

  private static native boolean delete(String path);

  private static native boolean makeFolder(String path);

  private static native boolean rename(String from, String to);

  private static native String[] list(String path);
}
