// SPDX-License-Identifier: Apache-2.0
package generator;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.objectweb.asm.tree.ClassNode;

/**
 * Turns the compiled core library into a boot class path for one ART release.
 *
 * <p>Arguments: FACTS RELEASE CLASS_FOLDER OUTPUT_FOLDER.
 */
public final class BootClassPath {
  public static void main(String[] args) throws IOException {
    if (args.length != 4) {
      System.err.println("usage: BootClassPath FACTS RELEASE CLASS_FOLDER OUTPUT_FOLDER");
      System.exit(2);
    }
    Facts facts = Facts.read(Paths.get(args[0]), Integer.parseInt(args[1]));
    Path output = Paths.get(args[3]);
    ClassFolder classes = ClassFolder.read(Paths.get(args[2]));
    for (ClassNode node : classes.all()) {
      LambdaDesugarer.desugar(node).forEach(classes::add);
    }
    Completer completer = new Completer(facts, classes);
    completer.complete();
    if (!completer.problems().isEmpty()) {
      completer.problems().forEach(System.err::println);
      System.exit(1);
    }
    classes.write(output);
  }

  private BootClassPath() {}
}
