// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.Comparator;

/** Upper and lower case of strings, and their order regardless of it. */
final class LetterCase implements Comparator<String> {
  @Override
  public int compare(String left, String right) {
    int shared = Math.min(left.length(), right.length());
    for (int i = 0; i < shared; i++) {
      int difference = Character.foldCase(left.charAt(i)) - Character.foldCase(right.charAt(i));
      if (difference != 0) {
        return difference;
      }
    }
    return left.length() - right.length();
  }

  /** Whether as many characters from there on are the same in both. */
  static boolean areEqual(String left, int leftStart, String right, int rightStart, int length, boolean ignoreCase) {
    for (int i = 0; i < length; i++) {
      char a = left.charAt(leftStart + i);
      char b = right.charAt(rightStart + i);
      if (a != b && !(ignoreCase && Character.foldCase(a) == Character.foldCase(b))) {
        return false;
      }
    }
    return true;
  }

  static String lower(char[] characters) {
    for (int i = 0; i < characters.length; i++) {
      characters[i] = Character.toLowerCase(characters[i]);
    }
    return new String(characters);
  }

  static String upper(char[] characters) {
    for (int i = 0; i < characters.length; i++) {
      characters[i] = Character.toUpperCase(characters[i]);
    }
    return new String(characters);
  }
}
