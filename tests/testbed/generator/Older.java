// SPDX-License-Identifier: Apache-2.0
package generator;

import java.io.IOException;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewrites class files of a newer compiler for an older runtime. A runtime without nests refuses a nested class the
 * private members of another, so these become visible in their package. Lambdas become classes.
 *
 * <p>Native methods answer zero, but for those named. So do all methods of the named classes.
 *
 * <p>Arguments: CLASS_FOLDER OUTPUT_FOLDER CLASS,... NATIVE_METHOD...
 */
public final class Older {
  public static void main(String[] args) throws IOException {
    if (args.length < 3) {
      System.err.println("usage: Older CLASS_FOLDER OUTPUT_FOLDER CLASS,... NATIVE_METHOD...");
      System.exit(2);
    }
    ClassFolder classes = ClassFolder.read(Paths.get(args[0]));
    for (ClassNode node : classes.all()) {
      LambdaDesugarer.desugar(node).forEach(classes::add);
    }
    Set<String> leftOut = new HashSet<>(Arrays.asList(args[2].split(",")));
    Set<String> natives = new HashSet<>(Arrays.asList(args).subList(3, args.length));
    for (ClassNode node : classes.all()) {
      withoutNest(node);
      for (MethodNode method : node.methods) {
        boolean isMissing = (method.access & Opcodes.ACC_NATIVE) != 0 && !natives.contains(method.name);
        boolean isLeftOut =
            leftOut.contains(node.name) && (method.access & Opcodes.ACC_ABSTRACT) == 0;
        if (isMissing || isLeftOut) {
          answerZero(node, method);
        }
      }
    }
    classes.write(Paths.get(args[1]));
  }

  private static void withoutNest(ClassNode node) {
    node.version = Opcodes.V1_8;
    node.nestHostClass = null;
    node.nestMembers = null;
    node.permittedSubclasses = null;
    for (FieldNode field : node.fields) {
      field.access &= ~Opcodes.ACC_PRIVATE;
    }
    for (MethodNode method : node.methods) {
      method.access &= ~Opcodes.ACC_PRIVATE;
    }
  }

  private static void answerZero(ClassNode node, MethodNode method) {
    method.access &= ~Opcodes.ACC_NATIVE;
    method.instructions.clear();
    method.tryCatchBlocks.clear();
    method.localVariables = null;
    if (method.name.equals("<init>")) {
      method.visitVarInsn(Opcodes.ALOAD, 0);
      method.visitMethodInsn(Opcodes.INVOKESPECIAL, node.superName, "<init>", "()V", false);
    }
    Type type = Type.getReturnType(method.desc);
    int zero = Opcodes.ACONST_NULL;
    switch (type.getSort()) {
      case Type.VOID: break;
      case Type.LONG: zero = Opcodes.LCONST_0; break;
      case Type.FLOAT: zero = Opcodes.FCONST_0; break;
      case Type.DOUBLE: zero = Opcodes.DCONST_0; break;
      case Type.OBJECT:
      case Type.ARRAY: break;
      default: zero = Opcodes.ICONST_0;
    }
    if (type.getSort() != Type.VOID) {
      method.visitInsn(zero);
    }
    method.visitInsn(type.getOpcode(Opcodes.IRETURN));
    method.visitMaxs(2, 2 * Type.getArgumentTypes(method.desc).length + 1);
  }

  private Older() {}
}
