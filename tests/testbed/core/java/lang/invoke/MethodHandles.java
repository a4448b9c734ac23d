// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

/** Declared for javac and ART; lambdas are rewritten before they run. */
public class MethodHandles {
  /** Type of a bootstrap method's first argument, as javac names it. */
  public static final class Lookup {
    Lookup() {}
  }

  private MethodHandles() {}
}
