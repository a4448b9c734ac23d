// SPDX-License-Identifier: Apache-2.0
package generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** The class files below one folder, by internal name. */
final class ClassFolder {
  /** The place of a class file's version, of which only the last byte is in use. */
  private static final int MAJOR_VERSION = 7;

  private final Map<String, ClassNode> nodes = new TreeMap<>();

  static ClassFolder read(Path folder) throws IOException {
    ClassFolder result = new ClassFolder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          files.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList())) {
        ClassNode node = new ClassNode();
        byte[] bytes = Files.readAllBytes(file);
        if (bytes[MAJOR_VERSION] > Opcodes.V17) { // which the library refuses
          bytes[MAJOR_VERSION] = Opcodes.V17;
        }
        new ClassReader(bytes).accept(node, 0);
        result.add(node);
      }
    }
    return result;
  }

  /** Replaces everything below {@code folder} by these classes. */
  void write(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
          Files.delete(file);
        }
      }
    }
    for (ClassNode node : nodes.values()) {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      node.accept(writer);
      Path file = folder.resolve(node.name + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, writer.toByteArray());
    }
  }

  void add(ClassNode node) {
    nodes.put(node.name, node);
  }

  /** The class of that name, or null. */
  ClassNode get(String name) {
    return nodes.get(name);
  }

  List<ClassNode> all() {
    return new ArrayList<>(nodes.values());
  }
}
