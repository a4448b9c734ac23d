// SPDX-License-Identifier: Apache-2.0
package programs;

/** Says that it is ready, then waits in a method that a trace can name. */
public class Waits {
  static void waitHere() throws InterruptedException {
    Object monitor = new Object();
    synchronized (monitor) {
      System.out.println("ready");
      monitor.wait(60000);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Thread busy = new Thread(() -> {
      while (true) {
        Thread.yield();
      }
    }, "spinner");
    busy.setDaemon(true);
    busy.start();
    waitHere();
  }
}
