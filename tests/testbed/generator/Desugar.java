// SPDX-License-Identifier: Apache-2.0
package generator;

import java.io.IOException;
import java.nio.file.Paths;
import org.objectweb.asm.tree.ClassNode;

/**
 * Rewrites an application's class files so that dx takes them: lambdas and method references become classes.
 *
 * <p>Arguments: CLASS_FOLDER OUTPUT_FOLDER.
 */
public final class Desugar {
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("usage: Desugar CLASS_FOLDER OUTPUT_FOLDER");
      System.exit(2);
    }
    ClassFolder classes = ClassFolder.read(Paths.get(args[0]));
    for (ClassNode node : classes.all()) {
      LambdaDesugarer.desugar(node).forEach(classes::add);
    }
    classes.write(Paths.get(args[1]));
  }

  private Desugar() {}
}
