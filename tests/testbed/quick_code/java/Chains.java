// SPDX-License-Identifier: Apache-2.0
/** The chains of calls that QuickCode runs, as the numbers that it goes by. */
final class Chains {
  private static final int[] CALLERS = {
    QuickCode.PLAIN, QuickCode.LARGE, QuickCode.AHEAD, QuickCode.JUST, QuickCode.NTERP, QuickCode.INTERPRETED,
    QuickCode.THROUGH
  };
  private static final int[] ENDS = {QuickCode.PROBE, QuickCode.LEAF, QuickCode.SPILLING, QuickCode.THROWER};

  private Chains() {}

  /** Each caller calling each, and some long chains, a few of them of compiled methods alone. */
  static int[] all() {
    int[] chains = new int[1 + CALLERS.length * (CALLERS.length + ENDS.length) + 24];
    int count = 0;
    chains[count++] = QuickCode.NTERP_WORK;
    for (int first : CALLERS) {
      for (int second : CALLERS) {
        chains[count++] = first | second << 4;
      }
      for (int end : ENDS) {
        chains[count++] = first | end << 4 | 5 << 8;
      }
    }
    for (int i = 0; i < 8; i++) {
      int chain = i % 2 == 0 ? QuickCode.LEAF : QuickCode.SPILLING;
      for (int depth = 0; depth < 6; depth++) {
        chain = chain << 4 | (QuickCode.PLAIN + (i / 2 + depth) % 4);
      }
      chains[count++] = chain;
    }
    int random = 11;
    while (count < chains.length) {
      int chain = ENDS[count % ENDS.length];
      for (int depth = 0; depth < 6; depth++) {
        random = random * 1103515245 + 12345;
        chain = chain << 4 | CALLERS[(random >>> 16) % CALLERS.length];
      }
      chains[count++] = chain;
    }
    return chains;
  }
}
