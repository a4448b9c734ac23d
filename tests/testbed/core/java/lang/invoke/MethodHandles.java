// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac and ART; lambdas are rewritten before they run. */
public class MethodHandles {
  /** What javac names as the first argument of a bootstrap method. */
  public static final class Lookup {
    Lookup() {}
  }

  private MethodHandles() {}
}
