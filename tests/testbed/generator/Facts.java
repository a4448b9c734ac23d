// SPDX-License-Identifier: Apache-2.0
package generator;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What one ART release demands of its boot class path: the tables under tests/testbed/facts, read as they are. */
final class Facts {
  static final class Field {
    @SerializedName("class")
    String owner;

    String name;
    String type;

    @SerializedName("static")
    boolean isStatic;
  }

  /** A method that ART looks up by name, or a native that ART registers. */
  static final class Method {
    @SerializedName("class")
    String owner;

    String name;
    String descriptor;

    @SerializedName("static")
    boolean isStatic;

    /** For natives: normal, fast or critical. For intrinsics: kStatic, kVirtual, kDirect, kPolymorphic. */
    String kind;
  }

  /** A constructor of String and the factory method that ART calls in its place. */
  static final class StringInit {
    String constructor;
    String factory;

    @SerializedName("factory_descriptor")
    String factoryDescriptor;
  }

  static final class MirrorField {
    String name;
    String type;
  }

  List<String> classes;
  List<Field> fields;
  List<Method> methods;
  List<Method> natives;
  List<Method> intrinsics;

  @SerializedName("string_inits")
  List<StringInit> stringInits;

  /** Instance fields of the classes that ART also lays out in C++; there may be no others. */
  @SerializedName("mirror_fields")
  Map<String, List<MirrorField>> mirrorFields;

  /** Virtual methods a class must add to those of Object. */
  @SerializedName("extra_vtable_slots")
  Map<String, Integer> extraVtableSlots;

  /** String's static fields: counts of 8, 16, 32 and 64 bit ones and of references. */
  @SerializedName("string_static_fields_by_size")
  int[] stringStaticFieldsBySize;

  static Facts read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return new Gson().fromJson(reader, Facts.class);
    }
  }
}
