// SPDX-License-Identifier: Apache-2.0
package generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Demands of one ART release on its boot class path: its rows of the table under tests/testbed/facts. */
final class Facts {
  /** `kind`: "normal" or the annotation's name of a native; the calling convention of an intrinsic. */
  record Member(String owner, String name, String type, String kind, boolean isStatic) {}

  /** A constructor of String and the factory method that ART calls in its place. */
  record StringInit(String constructor, String factory, String factoryDescriptor) {}

  final List<String> classes = new ArrayList<>();
  final List<Member> fields = new ArrayList<>();
  final List<Member> methods = new ArrayList<>();
  final List<Member> natives = new ArrayList<>();
  final List<Member> intrinsics = new ArrayList<>();
  final List<StringInit> stringInits = new ArrayList<>();

  /** Instance fields of the classes that ART also lays out in C++. Others are not allowed. */
  final Map<String, List<Member>> mirrorFields = new TreeMap<>();

  /** Virtual methods a class must add to those of Object. */
  final Map<String, Integer> extraVtableSlots = new TreeMap<>();

  /** String's static fields: counts of 8, 16, 32 and 64 bit ones and of references. */
  final List<Integer> stringStaticFieldsBySize = new ArrayList<>();

  static Facts read(Path file, int release) throws IOException {
    Facts facts = new Facts();
    for (String line : Files.readAllLines(file)) {
      List<String> words = List.of(line.split(" +"));
      if (!line.startsWith("#") && holds(words.get(0), release)) {
        facts.add(words.get(1), words.subList(2, words.size()));
      }
    }
    return facts;
  }

  private static boolean holds(String range, int release) {
    String[] ends = range.split("-");
    return Integer.parseInt(ends[0]) <= release && release <= Integer.parseInt(ends[ends.length - 1]);
  }

  private void add(String kind, List<String> words) {
    switch (kind) {
      case "class" -> classes.add(words.get(0));
      case "field" -> fields.add(member(words));
      case "method" -> methods.add(member(words));
      case "native" -> natives.add(member(words));
      case "intrinsic" -> intrinsics.add(member(words));
      case "mirror" -> mirrorFields.computeIfAbsent(words.get(0), owner -> new ArrayList<>()).add(member(words));
      case "string_init" -> stringInits.add(new StringInit(words.get(0), words.get(1), words.get(2)));
      case "vtable" -> extraVtableSlots.put(words.get(0), Integer.parseInt(words.get(1)));
      case "statics" -> words.forEach(count -> stringStaticFieldsBySize.add(Integer.parseInt(count)));
      default -> throw new IllegalArgumentException("boot class path: no row is a " + kind);
    }
  }

  private static Member member(List<String> words) {
    boolean isStatic = words.get(words.size() - 1).equals("static");
    return new Member(words.get(0), words.get(1), words.get(2), words.size() > 3 ? words.get(3) : "", isStatic);
  }
}
