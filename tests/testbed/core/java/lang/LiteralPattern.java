// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.ArrayList;
import java.util.List;

/**
 * The separators that String.split takes here: literal text with escapes, {@code \\s} (one blank character),
 * {@code [abc]} (one of these), each optionally followed by {@code +}. Anything else is refused.
 */
final class LiteralPattern {
  private static final String SPECIAL = ".$|()[{^?*+\\";

  /** Accepted characters, one string per position. */
  private final List<String> positions = new ArrayList<>();

  private boolean repeats;

  static LiteralPattern of(String text) {
    LiteralPattern pattern = new LiteralPattern();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        pattern.positions.add(escape(text.charAt(i + 1)));
        i += 2;
      } else if (c == '[' && text.indexOf(']', i + 2) > 0 && text.charAt(i + 1) != '^') {
        int end = text.indexOf(']', i + 2);
        pattern.positions.add(charactersOf(text.substring(i + 1, end)));
        i = end + 1;
      } else if (c == '+' && i == text.length() - 1 && pattern.positions.size() == 1) {
        pattern.repeats = true;
        i++;
      } else if (SPECIAL.indexOf(c) >= 0 && !(text.length() == 1 && c != '\\' && c != '.' && c != '|')) {
        throw new UnsupportedOperationException("String.split: not a simple separator: " + text);
      } else {
        pattern.positions.add(String.valueOf(c));
        i++;
      }
    }
    return pattern;
  }

  private static String escape(char c) {
    switch (c) {
      case 's':
        return " \t\n\r\f\u000b";
      case 'd':
        return "0123456789";
      case 't':
        return "\t";
      case 'n':
        return "\n";
      default:
        if (Character.isLetterOrDigit(c)) {
          throw new UnsupportedOperationException("String.split: escape \\" + c);
        }
        return String.valueOf(c);
    }
  }

  private static String charactersOf(String bracket) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < bracket.length(); i++) {
      char c = bracket.charAt(i);
      if (c == '\\' && i + 1 < bracket.length()) {
        result.append(escape(bracket.charAt(++i)));
      } else if (i + 2 < bracket.length() && bracket.charAt(i + 1) == '-') {
        for (char each = c; each <= bracket.charAt(i + 2); each++) {
          result.append(each);
        }
        i += 2;
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }

  /** The end of a match that starts at {@code start}, or -1. */
  private int matchEnd(String text, int start) {
    if (start + positions.size() > text.length()) {
      return -1;
    }
    int end = start;
    for (String accepted : positions) {
      if (accepted.indexOf(text.charAt(end)) < 0) {
        return -1;
      }
      end++;
    }
    while (repeats && end < text.length() && positions.get(0).indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  String[] split(String text, int limit) {
    List<String> parts = new ArrayList<>();
    int partStart = 0;
    int i = 0;
    while (i < text.length() && (limit <= 0 || parts.size() < limit - 1)) {
      int end = matchEnd(text, i);
      if (end < 0 || end == i && i == 0) {
        i++;
      } else {
        parts.add(text.substring(partStart, i));
        partStart = end;
        i = Math.max(end, i + 1);
      }
    }
    parts.add(text.substring(partStart));
    if (limit == 0) {
      while (parts.size() > 1 && parts.get(parts.size() - 1).isEmpty()) {
        parts.remove(parts.size() - 1);
      }
    }
    return parts.toArray(new String[parts.size()]);
  }
}
