// SPDX-License-Identifier: Apache-2.0
package core_tests;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;

/** Strings, builders and characters. */
public class Texts {
  static void show(Object... values) {
    System.out.println(Arrays.deepToString(values));
  }

  interface Body {
    Object run() throws Exception;
  }

  static String thrown(Body body) {
    try {
      return "no exception but " + body.run();
    } catch (Exception exception) {
      return exception.getClass().getName();
    }
  }

  public static void main(String[] args) throws Exception {
    String text = "Hello, World";
    show(text.length(), text.charAt(4), text.indexOf('o'), text.indexOf('o', 5), text.lastIndexOf("o"), text.indexOf("World"), text.indexOf("x"), text.indexOf("", 99));
    show(text.substring(7), text.substring(0, 5), text.contains("lo, W"), text.startsWith("Hell"), text.endsWith("ld"), text.startsWith("World", 7));
    show(text.toUpperCase(), text.toLowerCase(Locale.ROOT), text.replace('l', 'L'), text.replace("o", "00"), text.replace("", "-"), "aaa".replace("aa", "b"));
    show("  trim me \t\n".trim(), "".isEmpty(), "a".concat("b"), "abc".compareTo("abd"), "abc".compareTo("ab"), "ABC".compareToIgnoreCase("abd"), "Straße".equalsIgnoreCase("STRASSE"), "ÄÖÜ".toLowerCase(), "éèπж".toUpperCase());
    show("a,b,,c,,".split(","), "a,b,,c,,".split(",", -1), "a,b,c".split(",", 2), "one  two".split(" "), "x".split(","), "".split(","), "a.b.c".split("\\."), "a|b".split("\\|"), "1  2   3".split("\\s+"), "k=v;w".split("[=;]"));
    show(String.join("-", "a", "b", "c"), String.join("/", Arrays.asList("x", "y")), String.valueOf(3.5), String.valueOf(new char[] {'o', 'k'}), String.valueOf((Object) null));
    show(text.hashCode(), "".hashCode(), "Aa".hashCode() == "BB".hashCode(), "ab".equals("a" + new String("b")), "x".intern() == "x", text.equals(null), text.contentEquals(new StringBuilder(text)));
    show(new String(new char[] {'a', 'b', 'c'}, 1, 2), new String("copy"), new String(new byte[] {72, 105}), new String(new int[] {0x1F600, 65}, 0, 2), new String(new StringBuilder("sb")), new String());
    show("é€😀".getBytes("UTF-8"), new String("é€😀".getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8), "é€".getBytes(StandardCharsets.ISO_8859_1), new String(new byte[] {(byte) 0xe9}, "ISO-8859-1"), new String(new byte[] {(byte) 0xff, 65, (byte) 0xc3}, "UTF-8").length());
    show("😀".length(), "😀".codePointAt(0), "a😀".indexOf(0x1F600), "chars".toCharArray(), "region".regionMatches(true, 1, "XEGI", 1, 3));
    show(thrown(() -> "abc".charAt(3)), thrown(() -> "abc".substring(2, 1)), thrown(() -> "abc".substring(-1)), thrown(() -> new String(new byte[0], "nope")), thrown(() -> ((String) null).length()));
    StringBuilder builder = new StringBuilder("start");
    builder.append(1).append('c').append(2L).append(1.5f).append(2.25).append(true).append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 1, 3).append((String) null);
    show(builder.toString(), builder.length());
    builder.setLength(7);
    builder.insert(0, "<").insert(3, 42).insert(builder.length(), true).reverse();
    show(builder, builder.indexOf("r"), builder.lastIndexOf("t"), builder.charAt(2));
    builder.delete(0, 3).deleteCharAt(0).replace(0, 2, "REPLACED").setCharAt(1, '*');
    show(builder.toString(), builder.substring(2), builder.substring(1, 4), new StringBuilder("a😀b").reverse());
    show(thrown(() -> new StringBuilder("x").charAt(1)), thrown(() -> new StringBuilder("x").insert(5, "y")), new StringBuilder("x").delete(0, 99).length());
    StringBuffer buffer = new StringBuffer().append("buffer").append(7).append(' ').insert(0, 'B');
    show(buffer.toString(), buffer.length(), buffer.reverse());
    StringJoiner joiner = new StringJoiner(", ", "{", "}").setEmptyValue("EMPTY");
    show(joiner.toString(), joiner.add("a").add("b").toString(), joiner.length());
    show(Character.isDigit('7'), Character.isLetter('x'), Character.isLetterOrDigit('_'), Character.isWhitespace('\t'), Character.isUpperCase('Q'), Character.toUpperCase('q'), Character.getNumericValue('z'), Character.digit('f', 16), Character.forDigit(11, 16), Character.isLetter('é'), (int) Character.toUpperCase('ÿ') > 0, Character.toChars(0x1F600).length, Character.isSurrogate('\ud83d'));
    String long1 = "";
    for (int i = 0; i < 300; i++) {
      long1 += (char) ('a' + i % 26);
    }
    show(long1.length(), long1.hashCode(), long1.substring(250).indexOf("z"), "\u4f60\u597d".substring(1), "ab\u4f60".replace('\u4f60', 'c'));
  }
}
