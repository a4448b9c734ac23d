// SPDX-License-Identifier: Apache-2.0
/** Has no looper at all. */
public class NeverLoops {
  public static void main(String[] args) throws InterruptedException {
    Thread.sleep(Long.parseLong(args[0]));
    System.out.println("done");
  }
}
