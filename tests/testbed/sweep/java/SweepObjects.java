// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Allocations, references, arrays, casts: what collectors have barriers in. */
final class SweepObjects implements Sweep.Work {
  static final class Node {
    Node left;
    Node right;
    int value;

    Node(int depth) {
      value = depth;
      if (depth > 0) {
        left = new Node(depth - 1);
        right = new Node(depth - 2 < 0 ? 0 : depth - 2);
      }
    }

    int sum() {
      return value + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
    }
  }

  private static Object[] shared = new Object[32];
  private static volatile Node last;
  private Node tree;

  @Override
  public int run(int seed) {
    tree = new Node(4);
    last = tree;
    int result = tree.sum() + last.value;
    return result + arrays(seed) + stores(seed) + lists(seed) + copies(seed).length;
  }

  private static int arrays(int seed) {
    int[] numbers = new int[16];
    long[] longs = new long[seed & 7];
    byte[][] bytes = new byte[4][5];
    int sum = 0;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * seed;
      bytes[i & 3][i % 5] = (byte) i;
      sum += numbers[i] + bytes[i & 3].length + longs.length;
    }
    return sum;
  }

  private static int stores(int seed) {
    int sum = 0;
    for (int i = 0; i < shared.length; i++) {
      Object before = shared[i];
      shared[i] = before == null ? (Object) new int[2] : (i + seed & 3) == 0 ? "text" : before;
      if (shared[i] instanceof int[]) {
        sum += ((int[]) shared[i]).length;
      }
    }
    return sum;
  }

  private static int lists(int seed) {
    List<Integer> list = new ArrayList<>();
    Map<Integer, Object> map = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      list.add(i + seed * 1000);
      map.put(i, list);
    }
    int sum = 0;
    for (Integer value : list) {
      sum += value;
    }
    return sum + map.size();
  }

  private static Object[] copies(int seed) {
    Object[] copy = new Object[shared.length];
    System.arraycopy(shared, 0, copy, 0, shared.length);
    return copy.clone();
  }
}
