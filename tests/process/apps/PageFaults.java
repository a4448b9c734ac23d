// SPDX-License-Identifier: Apache-2.0
import android.os.Handler;
import android.os.Looper;
import fixture.scenario.TapInForce;
import java.nio.ByteBuffer;

/**
 * A message that reads pages of a mapped file at random, by the library args[0]. args[1] is the file, args[2] says in
 * which code: "managed" or "native". Says what the kernel counted before and after.
 */
public class PageFaults {
  private static final long READ_MS = 3_000;
  private static final int PAGE = 4096;
  static volatile long sum;

  static native ByteBuffer map(String path);

  static native long read(ByteBuffer pages, long ms);

  static native String counts();

  private static void readManaged(ByteBuffer pages) {
    final int count = pages.capacity() / PAGE;
    final long end = System.nanoTime() + READ_MS * 1_000_000;
    long seed = 1;
    while (System.nanoTime() < end) {
      seed = seed * 6364136223846793005L + 1442695040888963407L;
      sum += pages.get((int) ((seed >>> 33) % count) * PAGE);
    }
  }

  private static void scan(String path, boolean isNative) {
    final ByteBuffer pages = map(path);
    final String before = counts();
    final long begin = System.nanoTime();
    if (isNative) {
      sum += read(pages, READ_MS);
    } else {
      readManaged(pages);
    }
    final long end = System.nanoTime();
    System.out.println("counts " + before + " " + counts() + " " + (end - begin));
  }

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    Looper.prepareMainLooper();
    TapInForce.await(60_000);
    final Handler main = new Handler();
    main.post(() -> scan(args[1], args[2].equals("native")));
    main.post(() -> System.exit(0));
    Looper.loop();
  }
}
