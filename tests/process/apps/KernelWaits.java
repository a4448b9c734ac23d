// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;

/**
 * Messages that each wait in native code, in one system call, by the library args[0].
 */
public class KernelWaits {
  static native void futex();

  static native void sleep();

  static native void poll();

  static native void epoll();

  static native void pipe();

  static native void socket();

  static native void peer();

  static native void fileLock();

  static native void open();

  static native void child();

  static native void signal();

  static native void device();

  static native void binder();

  static native void pageFault();

  public static void main(String[] args) {
    System.load(args[0]);
    Looper.prepareMainLooper();
    Handler main = new Handler();
    Runnable[] waits = {
      KernelWaits::futex, KernelWaits::sleep, KernelWaits::poll, KernelWaits::epoll,
      KernelWaits::pipe, KernelWaits::socket, KernelWaits::peer, KernelWaits::fileLock, KernelWaits::open,
      KernelWaits::child, KernelWaits::signal, KernelWaits::device, KernelWaits::binder,
      KernelWaits::pageFault
    };
    for (Runnable wait : waits) {
      main.post(wait);
    }
    main.post(() -> System.exit(0));
    Looper.loop();
  }
}
