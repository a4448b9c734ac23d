// SPDX-License-Identifier: Apache-2.0
package programs;

/** Ends as its argument says. */
public class Ends {
  static class Cause extends Exception {
    Cause(String message) {
      super(message);
    }
  }

  static void fail() throws Exception {
    throw new Exception("outer", new Cause("inner"));
  }

  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    switch (args[0]) {
      case "exit":
        System.out.println("leaving");
        System.exit(7);
        break;
      case "halt":
        Runtime.getRuntime().halt(9);
        break;
      case "throw":
        fail();
        break;
      case "thread":
        new Thread(() -> {
          try {
            Thread.sleep(300);
          } catch (InterruptedException exception) {
            return;
          }
          System.out.println("thread is done");
        }).start();
        System.out.println("main is done");
        break;
      case "thread-exit":
        new Thread(() -> System.exit(5)).start();
        Thread.sleep(60000);
        break;
      case "daemon":
        Thread daemon = new Thread(() -> {
          while (true) {
            Thread.yield();
          }
        });
        daemon.setDaemon(true);
        daemon.start();
        break;
      case "dying-thread":
        Thread dying = new Thread(() -> {
          throw new IllegalStateException("in a thread");
        }, "dying");
        dying.start();
        dying.join();
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
  }
}
