// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** One text in place of another. */
final class Replacement {
  private Replacement() {}

  /** {@code text} with each {@code target} replaced. An empty one matches before each character and at the end. */
  static String in(String text, String target, String replacement) {
    StringBuilder result = new StringBuilder();
    int copied = 0;
    for (int i = text.indexOf(target); i >= 0; i = text.indexOf(target, i + Math.max(target.length(), 1))) {
      result.append(text, copied, i).append(replacement);
      copied = i + target.length();
      if (i == text.length()) {
        break;
      }
    }
    return result.append(text, copied, text.length()).toString();
  }
}
