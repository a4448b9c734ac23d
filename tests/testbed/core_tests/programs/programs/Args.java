// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.Arrays;

/** Prints its arguments and facts that depend on how it was started. */
public class Args {
  public static void main(String[] args) {
    System.out.println(Arrays.toString(args));
    System.out.println("env " + System.getenv("TEST_BED_VARIABLE") + " property " + System.getProperty("own.name"));
    System.out.println("heap " + Runtime.getRuntime().maxMemory());
    System.out.println("main " + Thread.currentThread().getName() + " " + Thread.currentThread().getId());
    System.out.println("loader " + Args.class.getClassLoader().getClass().getName());
    System.out.println("parent " + ClassLoader.getSystemClassLoader().getParent().getClass().getName());
  }
}
