// SPDX-License-Identifier: Apache-2.0
package java.util;

/** A set of small numbers, as bits. */
public class BitSet implements Cloneable, java.io.Serializable {
  private long[] words;

  public BitSet() {
    this(64);
  }

  public BitSet(int bits) {
    words = new long[(bits + 63) / 64 + 1];
  }

  private void grow(int word) {
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
    }
  }

  public boolean get(int bit) {
    return bit >> 6 < words.length && (words[bit >> 6] >>> bit & 1) != 0;
  }

  public void set(int bit) {
    grow(bit >> 6);
    words[bit >> 6] |= 1L << bit;
  }

  public void set(int bit, boolean on) {
    if (on) {
      set(bit);
    } else {
      clear(bit);
    }
  }

  public void set(int start, int end) {
    for (int bit = start; bit < end; bit++) {
      set(bit);
    }
  }

  public void clear(int bit) {
    if (bit >> 6 < words.length) {
      words[bit >> 6] &= ~(1L << bit);
    }
  }

  public void clear() {
    Arrays.fill(words, 0);
  }

  public void flip(int bit) {
    set(bit, !get(bit));
  }

  public int cardinality() {
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  public int length() {
    for (int word = words.length - 1; word >= 0; word--) {
      if (words[word] != 0) {
        return word * 64 + 64 - Long.numberOfLeadingZeros(words[word]);
      }
    }
    return 0;
  }

  public int size() {
    return words.length * 64;
  }

  public boolean isEmpty() {
    return length() == 0;
  }

  public int nextSetBit(int start) {
    for (int bit = start, length = length(); bit < length; bit++) {
      if (get(bit)) {
        return bit;
      }
    }
    return -1;
  }

  public int nextClearBit(int start) {
    int bit = start;
    while (get(bit)) {
      bit++;
    }
    return bit;
  }

  public void and(BitSet other) {
    for (int i = 0; i < words.length; i++) {
      words[i] &= i < other.words.length ? other.words[i] : 0;
    }
  }

  public void or(BitSet other) {
    grow(other.words.length - 1);
    for (int i = 0; i < other.words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  public void xor(BitSet other) {
    grow(other.words.length - 1);
    for (int i = 0; i < other.words.length; i++) {
      words[i] ^= other.words[i];
    }
  }

  public void andNot(BitSet other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      words[i] &= ~other.words[i];
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BitSet && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public Object clone() {
    BitSet copy = new BitSet();
    copy.or(this);
    return copy;
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (int bit = nextSetBit(0); bit >= 0; bit = nextSetBit(bit + 1)) {
      text.add(String.valueOf(bit));
    }
    return text.toString();
  }
}
